//! Python's runners, and files that Python runs.

use super::check;

#[test]
fn pytest() {
    check(&[
        ("pytest", "test pytest []"),
        ("pytest -q", "test pytest []"),
        ("pytest -xvs --tb=short --color=no --maxfail 1", "test pytest []"),
        ("pytest .", "test pytest []"),
        ("pytest ./", "test pytest []"),
        ("pytest tests/", "test pytest []"),
        ("pytest ./tests -n auto", "test pytest []"),
        ("python -m pytest", "test pytest []"),
        ("python3.11 -W ignore -m pytest --cov=app --cov-report term tests", "test pytest []"),
        ("py -3 -m pytest", "test pytest []"),
        (".venv/bin/python -m pytest -p no:cacheprovider", "test pytest []"),
        ("/opt/venv/bin/pytest -rA", "test pytest []"),
        ("pytest tests/unit", "test pytest [tests/unit]"),
        ("pytest ./tests/unit/ tests/api", "test pytest [tests/api tests/unit]"),
        ("pytest tests/test_login.py", "test pytest [tests/test_login.py] part"),
        ("pytest tests/test_login.py::TestForm::test_empty -v", "test pytest [tests/test_login.py::TestForm::test_empty] part"),
        ("pytest 'tests/test_a.py::test_x[a/./b]'", "test pytest [tests/test_a.py::test_x[a/./b]] part"),
        ("pytest tests tests/test_login.py", "test pytest []"),
        ("pytest tests\\unit\\test_a.py", "test pytest [tests/unit/test_a.py] part"),
        ("pytest -k login", "test pytest [-k=login] part"),
        ("pytest -klogin", "test pytest [-k=login] part"),
        ("pytest -xk 'login  and not slow'", "test pytest ['-k=login and not slow'] part"),
        ("pytest -m \"not slow\" tests", "test pytest ['-m=not slow'] part"),
        ("pytest --lf", "test pytest [--lf] part"),
        ("pytest --last-failed", "test pytest [--lf] part"),
        ("pytest --deselect tests/test_a.py::test_b", "test pytest [--deselect=tests/test_a.py::test_b] part"),
        ("pytest --timeout 60 --durations=10 -n 4", "test pytest []"),
        ("cd backend && pytest tests/test_a.py", "test pytest [backend/tests/test_a.py] part"),
        ("cd backend && pytest tests", "test pytest [backend]"),
        ("py.test -q", "test pytest []"),
        ("coverage run -m pytest tests/unit", "test pytest [tests/unit]"),
        ("python -m coverage run --source=app -m pytest", "test pytest []"),
        ("hatch test", "test pytest []"),
        ("rye test -a", "test pytest []"),
    ]);
}

#[test]
fn other_runners() {
    check(&[
        ("python -m unittest", "test unittest []"),
        ("python -m unittest discover -s tests -v", "test unittest []"),
        ("python -m unittest discover -s tests/unit", "test unittest [tests/unit]"),
        ("python -m unittest tests.test_login", "test unittest [tests/test_login.py] part"),
        ("python -m unittest -v tests.test_login.FormCase.test_empty", "test unittest [tests/test_login.py::FormCase::test_empty] part"),
        ("python -m unittest tests/test_login.py", "test unittest [tests/test_login.py] part"),
        ("python manage.py test", "test django test []"),
        ("python manage.py test shop.tests.CartTest --keepdb -v 2", "test django test [shop/tests.py::CartTest] part"),
        ("./manage.py test shop --parallel 4", "test django test [shop]"),
        ("python manage.py check", "lint django check []"),
        ("django-admin test --settings=app.settings", "test django test []"),
        ("python setup.py test", "test setup.py test []"),
        ("python -m doctest lib/dates.py", "test doctest [lib/dates.py] part"),
        ("tox", "test tox []"),
        ("tox -e py311", "test tox [~py311] part"),
        ("tox -e lint", "lint tox []"),
        ("tox run -e py311 -- tests/test_a.py -k login", "test tox [tests/test_a.py -k=login ~py311] part"),
        ("nox", "test nox []"),
        ("nox -s tests lint", "test nox [] ; lint nox []"),
        ("python -m nox -s tests", "test nox []"),
        ("hatch run pytest tests/unit", "test pytest [tests/unit]"),
        ("hatch run test:cov", "test hatch []"),
        ("pdm run test", "test pdm []"),
        ("pixi run pytest -q", "test pytest []"),
        ("poe test", "test poe []"),
        ("invoke lint", "lint invoke []"),
    ]);
}

#[test]
fn wrapped() {
    check(&[
        ("uv run pytest -q", "test pytest []"),
        ("uv run --with pytest-xdist --python 3.12 pytest tests/unit", "test pytest [tests/unit]"),
        ("uv run -m pytest", "test pytest []"),
        ("uv run --directory backend pytest", "test pytest [backend]"),
        ("uv run python -m pytest -k login", "test pytest [-k=login] part"),
        ("uv run ruff check .", "lint ruff []"),
        ("uvx ruff@0.9 check src", "lint ruff [src]"),
        ("uv tool run mypy src", "types mypy [src]"),
        ("poetry run pytest", "test pytest []"),
        ("pipenv run python -m pytest", "test pytest []"),
        ("pipx run --spec black==24 black --check .", "format black []"),
        ("conda run -n dev --no-capture-output pytest -q", "test pytest []"),
        ("PYTHONPATH=src DEBUG=1 pytest", "test pytest []"),
        ("env -u HOME PYTHONPATH=src pytest -q", "test pytest []"),
        ("timeout 60 pytest", "test pytest []"),
        ("timeout -k 5 --signal=KILL 2m pytest -x", "test pytest []"),
        ("time -p pytest", "test pytest []"),
        ("sudo -u app env A=b nice -n 5 pytest", "test pytest []"),
        ("nohup stdbuf -oL pytest", "test pytest []"),
        ("xvfb-run -a -s '-screen 0 1280x1024x24' pytest tests/gui", "test pytest [tests/gui]"),
    ]);
}

#[test]
fn linters_and_types() {
    check(&[
        ("mypy .", "types mypy []"),
        ("mypy src --strict --config-file mypy.ini", "types mypy [src]"),
        ("mypy src/app.py", "types mypy [src/app.py] part"),
        ("mypy -p shop", "types mypy [-p=shop] part"),
        ("dmypy run -- src", "types mypy [src]"),
        ("python -m mypy src/", "types mypy [src]"),
        ("pyright", "types pyright []"),
        ("npx pyright src", "types pyright [src]"),
        ("ty check", "types ty []"),
        ("ruff check", "lint ruff []"),
        ("ruff check . --fix", "lint ruff []"),
        ("ruff check --select F401 src", "lint ruff [src --select=F401] part"),
        ("ruff format --check .", "format ruff format []"),
        ("ruff check . && ruff format --check src", "lint ruff [] ; format ruff format [src]"),
        ("flake8 --max-line-length 120 src tests", "lint flake8 [src tests]"),
        ("pylint -E src/shop", "lint pylint [src/shop -E] part"),
        ("black --check --diff src", "format black [src]"),
        ("isort -c src", "format isort [src]"),
        ("isort --check-only .", "format isort []"),
        ("python -m compileall -q src", "build py_compile [src]"),
        ("python -m py_compile app.py", "build py_compile [app.py] part"),
        ("pre-commit run --all-files", "lint pre-commit []"),
        ("pre-commit run ruff --files a.py b.py", "lint pre-commit [a.py ~b.py ~ruff] part"),
    ]);
}

#[test]
fn files() {
    check(&[
        ("python test_login.py", "test python file [test_login.py] part"),
        ("python3 tests/check_output.py --strict", "test python file [tests/check_output.py] part"),
        ("python run_tests.py", "test python file [run_tests.py]"),
        ("python run_tests.py unit", "test python file [run_tests.py ~unit] part"),
        ("python -u verify.py", "test python file [verify.py]"),
        ("python -m shop.tests.test_cart", "test python file [shop/tests/test_cart.py] part"),
        ("uv run test_api.py", "test python file [test_api.py] part"),
        ("cd work && python ./test.py", "test python file [work/test.py]"),
    ]);
}
