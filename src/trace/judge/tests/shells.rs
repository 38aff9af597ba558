//! How commands are joined, wrapped and fed, and what becomes of the exit code.

use super::check;

#[test]
fn exit_codes() {
    check(&[
        ("cd web && pytest", "test pytest [web]"),
        ("cd web; pytest", "test pytest [web]"),
        ("pytest && echo ok", "test pytest []"),
        ("pytest 2>&1", "test pytest []"),
        ("pytest > out.log 2>&1", "test pytest []"),
        ("pytest &> out.log", "test pytest []"),
        ("pytest | tail -20", "test pytest [] hidden"),
        ("pytest 2>&1 | tee log", "test pytest [] hidden"),
        ("pytest |& grep FAIL", "test pytest [] hidden"),
        ("cat list | pytest", "test pytest []"),
        ("pytest || true", "test pytest [] hidden"),
        ("pytest || exit 1", "test pytest []"),
        ("pytest || { echo failed; exit 1; }", "test pytest []"),
        ("pytest || (echo failed; exit 1)", "test pytest []"),
        ("pytest || exit 0", "test pytest [] hidden"),
        ("pytest && echo ok || echo failed", "test pytest [] hidden"),
        ("pytest; echo $?", "test pytest [] hidden"),
        ("pytest; true", "test pytest [] hidden"),
        ("pytest\necho done", "test pytest [] hidden"),
        ("pytest; exit", "test pytest []"),
        ("pytest; exit $?", "test pytest []"),
        ("pytest; rc=$?; tail log; exit $rc", "test pytest []"),
        ("pytest; rc=$?; tail log; [ \"$rc\" -eq 0 ]", "test pytest []"),
        ("pytest; rc=$?; tail log; exit $other", "test pytest [] hidden"),
        ("pytest | tee log; exit ${PIPESTATUS[0]}", "test pytest []"),
        ("echo x | pytest; exit ${PIPESTATUS[0]}", "test pytest [] hidden"),
        ("pytest | tail -3; test ${PIPESTATUS[0]} -eq 0", "test pytest []"),
        ("pytest | tail -3; [ ${PIPESTATUS[0]} -eq 0 ] && echo ok", "test pytest []"),
        ("pytest; [ $? -eq 0 ] && echo ok || echo no", "test pytest [] hidden"),
        ("pytest || false", "test pytest []"),
        ("false || pytest", "test pytest [] hidden"),
        ("! pytest", "test pytest [] hidden"),
        ("pytest &", "test pytest [] hidden"),
        ("cd web && pytest &", "test pytest [web] hidden"),
        ("make && pytest & sleep 5", "build make [] hidden ; test pytest [] hidden"),
        ("pytest; mypy .", "test pytest [] hidden ; types mypy []"),
        ("pytest && mypy .", "test pytest [] ; types mypy []"),
        ("pytest || mypy .", "test pytest [] hidden ; types mypy [] hidden"),
        ("cd a || cd b && pytest", "test pytest [a/b]"),
    ]);
}

#[test]
fn options() {
    check(&[
        ("set -o pipefail; pytest | tail -5", "test pytest []"),
        ("set -euo pipefail\npytest | tee log\necho done", "test pytest []"),
        ("set -o pipefail; pytest | grep FAIL", "test pytest [] hidden"),
        ("set -o pipefail; set +o pipefail; pytest | tail", "test pytest [] hidden"),
        ("set -e; pytest; mypy .; echo done", "test pytest [] ; types mypy []"),
        ("set -e; pytest && echo ok; echo done", "test pytest [] hidden"),
        ("set -e; set +e; pytest; echo done", "test pytest [] hidden"),
        ("(set -o pipefail); pytest | tail", "test pytest [] hidden"),
        ("bash -o pipefail -c 'pytest | tail -3'", "test pytest []"),
        ("bash -euo pipefail -c 'pytest | tail -3; echo done'", "test pytest []"),
    ]);
}

#[test]
fn groups() {
    check(&[
        ("(cd web && npm test)", "test package script [web]"),
        ("(cd web && npm test); (cd api && pytest)", "test package script [web] hidden ; test pytest [api]"),
        ("{ pytest; mypy .; } 2>&1 | tail", "test pytest [] hidden ; types mypy [] hidden"),
        ("{ pytest; }", "test pytest []"),
        ("if pytest; then echo ok; else echo no; fi", "test pytest [] hidden"),
        ("for i in 1 2 3; do pytest tests/unit; done", "test pytest [tests/unit] hidden"),
        ("while ! curl -s localhost; do sleep 1; done; pytest", "test pytest []"),
        ("for f in tests/*.py; do echo $f; done && pytest", "test pytest []"),
        ("case $1 in a) make;; esac; pytest", "build make [] hidden ; test pytest []"),
        ("run() { pytest; }; run", "test pytest [] hidden"),
        ("files=(tests/a.py make pytest); mypy .", "types mypy []"),
        ("out=$(pytest 2>&1); echo \"$out\" | tail -3", "test pytest [] hidden"),
        ("out=$(pytest 2>&1)", "test pytest []"),
        ("echo \"$(pytest | tail -1)\"", "test pytest [] hidden"),
        ("echo `pytest`", "test pytest [] hidden"),
        ("diff <(pytest) expected.txt", "test pytest [] hidden"),
    ]);
}

#[test]
fn shells_in_shells() {
    check(&[
        ("bash -lc 'cd web && npm test'", "test package script [web]"),
        ("bash -lc \"npm test\" | tail", "test package script [] hidden"),
        ("sh -c 'pytest | tail'", "test pytest [] hidden"),
        ("cd web && sh -c \"npm test\"", "test package script [web]"),
        ("eval 'pytest -q'", "test pytest []"),
        ("su app -c 'pytest -q'", "test pytest []"),
        ("ssh -p 22 host 'cd shop && pytest'", "test pytest [shop]"),
        ("cmd /c \"npm test\"", "test package script []"),
        ("powershell -NoProfile -Command \"npm test; exit $LASTEXITCODE\"", "test package script [] hidden"),
        ("wsl.exe -d Ubuntu -- bash -lc 'cd /mnt/d/shop/web && go test ./...'", "test go test [web]"),
        ("docker exec -it -e CI=1 web pytest -q", "test pytest []"),
        ("docker exec -w /srv/shop web npm test", "test package script [shop]"),
        ("docker run --rm -v \"$PWD\":/app -w /app python:3.12 sh -c 'pip install -e . && pytest'", "test pytest [app]"),
        ("docker compose exec -T web pytest tests/unit", "test pytest [tests/unit]"),
        ("docker compose -f dev.yml run --rm web npm test", "test package script []"),
        ("kubectl exec -n dev web-0 -- pytest", "test pytest []"),
        ("nix develop -c cargo test", "test cargo test []"),
        ("nix-shell --run 'make test'", "test make []"),
        ("xargs -n 10 shellcheck < list", "lint shellcheck [-xargs] part"),
        ("git ls-files '*.sh' | xargs shellcheck", "lint shellcheck [-xargs] part"),
        ("find . -name '*.sh' -exec shellcheck {} +", "lint shellcheck [-xargs] part"),
        ("find . -name '*.sh' -exec shellcheck {} \\;", "lint shellcheck [-xargs] part hidden"),
        ("script -qec 'pytest' /dev/null", "test pytest []"),
        ("exec pytest", "test pytest []"),
    ]);
}

#[test]
fn here_documents() {
    check(&[
        ("bash <<'EOF'\nset -e\npytest\nmypy .\nEOF", "test pytest [] ; types mypy []"),
        ("bash <<EOF\npytest\necho done\nEOF", "test pytest [] hidden"),
        ("cat <<EOF | bash\npytest\nEOF", "test pytest []"),
        ("bash -s <<-EOF\n\tpytest\n\tEOF\nmypy .", "test pytest [] hidden ; types mypy []"),
        ("bash <<< 'pytest -q'", "test pytest []"),
        ("echo 'npm test' | bash", "test package script []"),
        ("docker exec -i web bash <<'EOF'\npytest\nEOF", "test pytest []"),
        ("cat > run.sh <<EOF\npytest\nEOF\nmypy .", "types mypy []"),
        ("cat > a <<A > b <<B\npytest\nA\nmake\nB\nmypy .", "types mypy []"),
        ("python - <<'PY' && pytest\nprint('make test')\nPY", "test pytest []"),
    ]);
}

#[test]
fn odd_spelling() {
    check(&[
        ("  pytest\t-q\r\n", "test pytest []"),
        ("cargo test \\\n  -p core \\\n  --lib", "test cargo test [--lib -p=core] part"),
        ("'pytest' \"tests/test a.py\"", "test pytest ['tests/test a.py'] part"),
        ("py\"test\"", "test pytest []"),
        ("pytest # and make test", "test pytest []"),
        ("# make test\npytest", "test pytest []"),
        ("pytest &&\n\n mypy .", "test pytest [] ; types mypy []"),
        ("pytest tests/a\\ b.py", "test pytest ['tests/a b.py'] part"),
        ("pytest -k $'a\\'b'", "test pytest [-k=a\"b] part"),
        ("pytest; ; mypy .", "test pytest [] hidden ; types mypy []"),
    ]);
}
