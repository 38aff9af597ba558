//! SQL and Parquet: the frames say what the tables and the report say.

use crate::support::{fixtures, program, triage};
use crate::tables::{AS_OF, export};
use polars::prelude::{AnyValue, DataFrame, DataType, TimeUnit};
use polars_io::SerReader as _;
use polars_io::parquet::read::ParquetReader;
use serde_json::Value;
use std::path::Path;

fn ask(sql: &str, path: &Path, more: &[&str]) -> std::process::Output {
    program().args(["query", sql, "--as-of", AS_OF]).args(more).arg(path).output().unwrap()
}

/// The answer as rows of JSON.
fn answer(sql: &str, path: &Path) -> Vec<Value> {
    let output = ask(sql, path, &["--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn night(sql: &str) -> Vec<Value> {
    answer(sql, &fixtures().join("overnight"))
}

/// The questions that `query --help` shows, in order.
fn questions() -> Vec<String> {
    let help = String::from_utf8(program().args(["query", "--help"]).output().unwrap().stdout).unwrap();
    let text = help.split_once("Questions a lead asks:").unwrap().1.split_once("\n\n").unwrap().0;
    let mut found: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        match (line.ends_with('?'), found.last_mut()) {
            (true, _) => found.push(String::new()),
            (false, Some(last)) => last.extend([line, " "]),
            _ => panic!("{line}"),
        }
    }
    found
}

#[test]
fn the_questions_of_the_help_are_answered_rightly() {
    let questions = questions();
    assert_eq!(questions.len(), 5);
    let answers: Vec<Vec<Value>> = questions.iter().map(|q| night(q)).collect();
    let first = &answers[0][0];
    assert_eq!(
        (first["ending"].as_str(), first["runs"].as_i64(), first["usd"].as_f64(), first["wasted"].as_f64()),
        (Some("limit_hit"), Some(5), Some(19.338_705), Some(0.450_756))
    );
    let second: Vec<&str> = answers[1].iter().map(|r| r["loop"].as_str().unwrap_or("none")).collect();
    assert_eq!(second[..3], ["report-export-rewrite", "docs-link-checker", "tax-table-import"]);
    assert_eq!((answers[1][1]["greens"].as_i64(), answers[1].len()), (Some(1), 10));
    let third = &answers[2][0];
    assert_eq!((third["runs"].as_i64(), third["iterations"].as_i64()), (Some(1), Some(9)));
    assert!(third["failure"].as_str().unwrap().contains("test_lines.py::test_minor_units"), "{third}");
    // four loops and a session: 18 + 45 + 10 + 8 + 4 calls; 17.474517 + 2.531931 + 1.864188 + 1.298688 + 0.017808
    let fourth = &answers[3][0];
    assert_eq!(
        (fourth["model"].as_str(), fourth["calls"].as_i64(), fourth["usd"].as_f64()),
        (Some("claude-sonnet-4-5"), Some(85), Some(23.187_132))
    );
    let fifth = answers[4].iter().find(|r| r["run"] == "ledger-rounding").unwrap();
    assert_eq!((fifth["kind"].as_str(), fifth["path"].as_str()), (Some("stuck"), Some("ledger-rounding/.loop_log.jsonl")));
    assert!(fifth["line"].as_i64().unwrap() > 0);
}

#[test]
fn frames_and_groups_agree() {
    let report = triage(&fixtures(), AS_OF, &["--group-by", "ending"]);
    let sql = "SELECT ending, COUNT(*) AS runs, SUM(CASE WHEN ending = 'succeeded' THEN 1 ELSE 0 END) AS green, SUM(iterations) AS iterations, \
               SUM(cost_pico_usd) AS pico, SUM(waste_pico_usd) AS waste, SUM(tokens) AS tokens, \
               QUANTILE_DISC(iterations, 0.5) AS p50, QUANTILE_DISC(iterations, 0.9) AS p90 FROM runs GROUP BY ending";
    let rows = answer(sql, &fixtures());
    let known = answer(
        "SELECT ending, COUNT(*) AS n, QUANTILE_DISC(cost_pico_usd, 0.5) AS p50, QUANTILE_DISC(cost_pico_usd, 0.9) AS p90 FROM runs \
         WHERE cost_status = 'known' GROUP BY ending",
        &fixtures(),
    );
    let groups = report["groups"].as_array().unwrap();
    assert_eq!(rows.len(), groups.len());
    let pico = |v: &Value| v.as_str().map(|t| i64::try_from(t.parse::<loopmortem::trace::Money>().unwrap().0).unwrap());
    let mut quantiles = 0;
    for group in groups {
        let row = rows.iter().find(|r| r["ending"] == group["key"]["ending"]).unwrap();
        for key in ["runs", "green", "iterations"] {
            assert_eq!(row[key], group[key], "{key} of {}", group["key"]);
        }
        assert_eq!(row["pico"].as_i64(), pico(&group["cost"]["usd"]), "{}", group["key"]);
        assert_eq!(row["tokens"], group["tokens"], "{}", group["key"]);
        assert_eq!(row["waste"].as_i64(), pico(&group["waste"]["usd"]), "{}", group["key"]);
        for (p, here) in [("p50", &row["p50"]), ("p90", &row["p90"])] {
            if let Some(there) = group["iteration_quantiles"][p].as_f64() {
                assert_eq!(here.as_f64(), Some(there), "{p} of {}", group["key"]);
                quantiles += 1;
            }
            let costs = known.iter().find(|k| k["ending"] == group["key"]["ending"]);
            assert_eq!(costs.map_or(0, |k| k["n"].as_u64().unwrap()), group["cost_quantiles"]["n"].as_u64().unwrap());
            if let (Some(there), Some(costs)) = (pico(&group["cost_quantiles"][p]), costs) {
                assert_eq!(costs[p].as_f64(), Some(there as f64), "cost {p} of {}", group["key"]);
                quantiles += 1;
            }
        }
    }
    assert!(quantiles > 10, "{quantiles}");
    // the dead runs' logs book nothing: their sum is not known
    let died = night("SELECT SUM(cost_pico_usd) AS pico, SUM(iterations) AS n, AVG(cost_usd) AS mean FROM runs WHERE ending = 'died'");
    assert_eq!((&died[0]["pico"], died[0]["n"].as_i64(), &died[0]["mean"]), (&Value::Null, Some(22), &Value::Null));
    let having = night("SELECT ending, SUM(cost_usd) AS s FROM runs GROUP BY ending HAVING SUM(cost_usd) IS NULL ORDER BY ending");
    let endings: Vec<&str> = having.iter().filter_map(|r| r["ending"].as_str()).collect();
    assert_eq!(endings, ["died", "risk_boundary", "running"]);
    let total = night("SELECT SUM(cost_pico_usd) AS pico FROM runs");
    assert_eq!(total[0]["pico"].as_i64(), Some(23_230_998_000_000));
}

#[test]
fn one_question_has_one_answer() {
    let questions = [
        "SELECT ending, mode, COUNT(*) AS n FROM runs GROUP BY ending, mode",
        "SELECT ending, COUNT(*) AS n FROM runs GROUP BY ending ORDER BY n",
        "SELECT DISTINCT kind, confidence FROM findings",
        "SELECT r.run, f.kind FROM findings AS f JOIN runs AS r ON f.run = r.run",
        "SELECT a.run, b.run AS other FROM runs AS a JOIN runs AS b ON a.ending = b.ending",
        "SELECT ending FROM runs UNION ALL SELECT mode FROM runs",
        "SELECT ending FROM runs UNION SELECT mode FROM runs",
        "WITH red AS (SELECT run, COUNT(*) AS n FROM iterations WHERE colour = 'red' GROUP BY run) SELECT n, COUNT(*) AS runs FROM red GROUP BY n",
    ];
    for sql in questions {
        let bytes = |threads: &str| {
            let output = program()
                .args(["query", sql, "--format", "csv", "--as-of", AS_OF, "--threads", threads])
                .arg(fixtures().join("overnight"))
                .env("POLARS_MAX_THREADS", threads)
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(0), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
            output.stdout
        };
        let one = bytes("1");
        for threads in ["2", "4"] {
            assert!(one == bytes(threads), "{sql} with {threads} threads");
        }
    }
    // groups come in the order of their first run
    let endings: Vec<String> =
        night("SELECT ending FROM runs GROUP BY ending").iter().map(|r| r["ending"].as_str().unwrap().to_owned()).collect();
    assert_eq!(endings, ["unverified", "limit_hit", "succeeded", "risk_boundary", "died", "blocked", "running"]);
}

#[test]
fn instants_and_spans_can_be_asked_for() {
    let one = |sql: &str| night(sql).remove(0);
    let row = one(
        "SELECT started, ended - started AS took, wall_s, CAST(started AS DATE) AS day, DATE_PART('hour', started) AS hour FROM runs WHERE run = 'tax-table-import'",
    );
    assert_eq!(
        (row["started"].as_str(), row["day"].as_str(), row["hour"].as_i64()),
        (Some("2026-11-29T03:05:00Z"), Some("2026-11-29"), Some(3))
    );
    assert_eq!(row["took"].as_f64(), row["wall_s"].as_f64());
    // coupon-engine, inventory-sync, notification-digest, webhook-signing, image-thumbnailer, queue-consumer,
    // tax-table-import and locale-fallbacks began after midnight
    for literal in ["'2026-11-29'", "TIMESTAMP '2026-11-29 00:00:00'", "CAST('2026-11-29' AS DATE)"] {
        let late = one(&format!("SELECT COUNT(*) AS n FROM runs WHERE started >= {literal}"));
        assert_eq!(late["n"].as_i64(), Some(8), "{literal}");
    }
}

#[test]
fn what_is_wrong_with_a_question_is_said_before_logs_are_read() {
    let nowhere = Path::new("no-such-folder");
    for (sql, words) in [
        ("SELECT endng FROM runs", "no column is called `endng` in runs; did you mean `ending`?"),
        ("SELECT run FROM runs WHERE modle = 'x'", "no column is called `modle`"),
        ("SELECT r.runn FROM runs AS r", "no column is called `runn` in runs; did you mean `run`?"),
        ("SELECT * FROM run", "no table is called `run`; did you mean `runs`?"),
        ("SELECT run FROM runs WHERE", "SQL: "),
        ("runs/", "the SQL comes first"),
        ("DROP TABLE runs", "the SQL comes first"),
        ("SELECT 1; SELECT 2", "one (and only one) statement"),
        ("SELECT * FROM read_csv('/etc/hosts')", "read_csv"),
    ] {
        let output = ask(sql, nowhere, &[]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{sql}: {text}");
        assert!(text.contains(words) && text.lines().count() == 1, "{sql}: {text}");
        assert!(output.stdout.is_empty());
    }
    let output = ask("SELECT run FROM runs", nowhere, &[]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-such-folder: no such file or directory"));
}

#[test]
fn an_answer_has_four_forms() {
    let sql = "SELECT run, cost_usd, mode FROM runs WHERE run LIKE 'tax%' OR run LIKE 'ledger%' ORDER BY run";
    let text = |format: &str| String::from_utf8(ask(sql, &fixtures().join("overnight"), &["--format", format]).stdout).unwrap();
    assert_eq!(text("csv"), "run,cost_usd,mode\r\nledger-rounding,,stuck\r\ntax-table-import,1.864188,\r\n");
    let (a, b) = (
        "{\"run\":\"ledger-rounding\",\"cost_usd\":null,\"mode\":\"stuck\"}",
        "{\"run\":\"tax-table-import\",\"cost_usd\":1.864188,\"mode\":null}",
    );
    assert_eq!(text("ndjson"), format!("{a}\n{b}\n"));
    assert_eq!(text("json"), format!("[\n{a},\n{b}\n]\n"));
    let table = text("table");
    let lines: Vec<Vec<&str>> = table.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(
        (lines[0].clone(), lines[2].clone(), lines[3].clone()),
        (vec!["run", "cost_usd", "mode"], vec!["ledger-rounding", "-", "stuck"], vec!["tax-table-import", "1.864188", "-"])
    );
    let short = ask("SELECT run FROM runs", &fixtures().join("overnight"), &["--rows", "3"]);
    assert!(String::from_utf8_lossy(&short.stdout).contains("and 15 more rows"));
}

fn parquet(path: &Path, table: &str, more: &[&str]) -> (Vec<u8>, DataFrame) {
    let bytes = export(path, "parquet", table, more);
    let frame = ParquetReader::new(std::io::Cursor::new(bytes.clone())).finish().unwrap();
    (bytes, frame)
}

#[test]
fn parquet_holds_what_ndjson_holds() {
    let night = fixtures().join("overnight");
    for table in ["runs", "iterations", "calls", "actions", "checks", "findings"] {
        let (bytes, frame) = parquet(&night, table, &["--threads", "1"]);
        assert!(bytes == parquet(&night, table, &["--threads", "2"]).0, "{table}");
        let text = export(&night, "ndjson", table, &[]);
        let rows: Vec<Value> = text.split(|b| *b == b'\n').filter(|l| !l.is_empty()).map(|l| serde_json::from_slice(l).unwrap()).collect();
        assert_eq!(frame.height(), rows.len(), "{table}");
        for column in frame.columns() {
            let name = column.name().as_str();
            for (k, row) in rows.iter().enumerate() {
                let here = column.get(k).unwrap();
                let there = &row[name];
                let same = match column.dtype() {
                    DataType::String => here.get_str() == there.as_str(),
                    DataType::Int64 => here.extract::<i64>() == there.as_i64(),
                    DataType::Float64 => here.extract::<f64>() == there.as_f64(),
                    DataType::Boolean => {
                        matches!(here, AnyValue::Boolean(b) if there.as_bool() == Some(b)) || here.is_null() && there.is_null()
                    }
                    DataType::Datetime(TimeUnit::Milliseconds, Some(_)) => {
                        here.extract::<i64>() == there.as_str().map(|t| loopmortem::trace::Time::parse(t).unwrap().0)
                    }
                    other => panic!("{table}.{name} is {other}"),
                };
                assert!(same, "{table}.{name} in row {k}: {here} and {there}");
            }
        }
    }
}

#[test]
fn a_column_without_a_name_is_headed_by_what_was_written() {
    let night = fixtures().join("overnight");
    let csv = |sql: &str| {
        let output = ask(sql, &night, &["--format", "csv"]);
        assert_eq!(output.status.code(), Some(0), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let head = |sql: &str| csv(sql).lines().next().unwrap().to_owned();
    assert_eq!(csv("SELECT COUNT(*) FROM runs"), "COUNT(*)\r\n18\r\n");
    assert_eq!(
        head("SELECT ending, COUNT(*), SUM(iterations) FROM runs GROUP BY ending ORDER BY ending"),
        "ending,COUNT(*),SUM(iterations)"
    );
    assert_eq!(head("SELECT run, wall_s / 60 FROM runs"), "run,wall_s / 60");
    // polars calls both `iterations`: the fewest are 1 (a session), the most 45.
    assert_eq!(csv("SELECT MIN(iterations), MAX(iterations) FROM runs"), "MIN(iterations),MAX(iterations)\r\n1,45\r\n");
    assert_eq!(answer("SELECT COUNT(*) FROM runs", &night)[0]["COUNT(*)"], 18);
}
