"""Tests survey.py on a Spark cluster of two workers, each a process: test.py SPECLEX. See .ci/spark."""
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyspark
import survey
from pyspark.sql import SparkSession

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SPECLEX = os.path.abspath(sys.argv[1])
TABLES = ["html-2014", "html-living"]
PARTS = ["<p>", "</p>", "<?a?>", "<!--x--!>", "<!---y--", "-->", "&amp", "&notit;", "<a b='c\"", ">", "<script>", "<!--", "</script>",
         "<br/>", "\0", "\r\n", "é", "<![CDATA[z]]>", "<!DOCTYPE html>", "<a b b>", "</", "<textarea>", "text "]


def corpora():
    folder = Path(os.environ.get("SPECLEX_SHARED", ROOT / "../shared")) / "corpora/html"
    if not folder.is_dir():
        print(f"SKIPPED: no pages at {folder}", file=sys.stderr)
        assert "CI" not in os.environ, "the pages are missing"
    return sorted(folder.rglob("*.html"))


def synthetic(count):
    random.seed(73)
    return [(f"page {number:05}", "".join(random.choices(PARTS, k=random.randrange(12)))) for number in range(count)]


def single_process(lines, name, *options):
    command = [SPECLEX, "diff", *TABLES, "--input", "-", "--records", "json", "--name", name, "--totals", *options]
    return subprocess.run(command, input="\n".join(lines), stdout=subprocess.PIPE, text=True).stdout


def check(out, *expected):
    """Compares the survey, and the report."""
    for name, text in zip(("survey.json", "report.txt"), expected):
        found = (out / name).read_text()
        assert found == text, f"{out / name}: {found}\nis not\n{text}"


def below(process):
    """The processes below one, each with its command line."""
    children = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            child = int(folder.name), (folder / "cmdline").read_bytes().decode()
        except OSError:
            # It has ended.
            continue
        children.setdefault(parent, []).append(child)
    found, todo = {}, [process]
    while todo:
        more = dict(children.get(todo.pop(), []))
        found |= more
        todo += more
    return found


def kill_an_executor(job):
    """Kills one that compares pages just now. What was below it, or None if there is none."""
    for executor, command in below(job.pid).items():
        tasks = below(executor)
        if "CoarseGrainedExecutorBackend" in command and any(command.startswith(SPECLEX) for command in tasks.values()):
            os.kill(executor, signal.SIGKILL)
            return tasks
    return None


def with_an_executor_killed(work, settings, pages):
    """The command, one of whose executors is killed in the middle."""
    out = work / "killed"
    command = [Path(pyspark.__file__).parent / "bin/spark-submit"]
    command += [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]
    command += [HERE / "survey.py", *TABLES, "--pages", pages, "--out", out, "--partitions", "16", "--speclex", SPECLEX]
    printed, tasks = "", None
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as job:
        for line in job.stdout:
            printed += line
            while not tasks and re.search(r" ([2-9]|1[0-4]) of 16 tasks done", line) and job.poll() is None:
                tasks = kill_an_executor(job)
    assert job.returncode == 0 and tasks and "Lost executor" in printed, f"{job.returncode}, killed: {tasks}\n{printed}"
    assert f"5 not read: {out / 'report.txt'}" in printed, printed
    left = tasks.items() & below(1).items()
    assert not left, f"the killed executor left {left}"
    return out


def refused(work):
    """What is wrong shows before a cluster starts."""
    for words, said in (["nonsense", "html-living"], "there is no table `nonsense`"), ([*TABLES, "--speclex", "missing"], "'missing'"), \
            ([*TABLES, "--pages", "pages"], "--format"):
        command = [sys.executable, HERE / "survey.py", "--pages", "a.json", "--out", work / "refused", "--speclex", SPECLEX, *words]
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert ran.returncode in (1, 2) and said in ran.stderr and "Traceback" not in ran.stderr, ran.stderr
    assert not (work / "refused").exists()


def json_pages(work):
    """The pages of the corpora, synthetic ones and broken lines; what is found in them by one process; and its report."""
    pages = [(path.name, path.read_bytes().decode("utf-8", "replace")) for path in corpora()] + synthetic(20_000)
    lines = [json.dumps({"name": name, "document": text}) for name, text in pages]
    why = "the row has no texts `name` and `document`"
    bad = {
        '{"name": "cut': ('pages.jsonl: {"name": "cut', "the line is not a JSON object"),
        '{"name": "half", "document": "x"': ('pages.jsonl: {"name": "half", "document": "x"', "the line is not a JSON object"),
        '{"name": "no document"}': ("no document", why),
        '{"document": "no name"}': ("pages.jsonl: no name", why),
        json.dumps({"name": "long", "document": "x" * survey.warc_to_json.LONGEST + "x"}): ("long", "longer than 16 MiB"),
    }
    source = work / "pages.jsonl"
    source.write_text("\n".join([*lines[:9000], *bad, *lines[9000:]]))
    lines += [json.dumps({"name": name, "error": reason}) for name, reason in bad.values()]
    whole = single_process(lines, source, "--format", "json")
    report = subprocess.run([SPECLEX, "diff", "--merge", "-"], input=whole, stdout=subprocess.PIPE, text=True).stdout
    found = json.loads(whole)
    assert found["documents"] == len(pages) and found["unreadCount"] == len(bad) and len(found["causes"]) > 5, found
    return source, whole, report


def on_json(work, run, source, *expected):
    for partitions in "1", "3", "16":
        check(run(source, "--partitions", partitions), *expected)
    # A program that dies when it first has pages: the first time, it has none.
    dies = work / "dies"
    dies.write_text(f'#!/bin/sh\nmkdir "$0.1" 2>&- || ! mkdir "$0.2" 2>&- || kill -9 $$\nexec {SPECLEX} "$@"\n')
    dies.chmod(0o755)
    subprocess.run([dies, "--version"], stdout=subprocess.DEVNULL, check=True)
    check(run(source, "--speclex", str(dies)), *expected)
    assert Path(f"{dies}.2").exists()


def on_parquet(work, run, spark):
    pages = synthetic(500)
    rows = [(name, bytearray(text.encode())) for name, text in pages] + [("malformed", bytearray(b"<?a?>\xff")), (None, bytearray(b"x"))]
    source = work / "pages.parquet"
    spark.createDataFrame(rows, "name STRING, document BINARY").write.parquet(str(source))
    found = json.loads((run(source) / "survey.json").read_text())
    lines = [json.dumps({"name": name, "document": text}) for name, text in [*pages, ("malformed", "<?a?>\ufffd")]]
    expected = json.loads(single_process(lines, source, "--format", "json"))
    assert found["notUtf8"] == found["unreadCount"] == 1, found
    assert found["unread"][0]["record"].endswith(".parquet: x"), found
    for key in "documents", "differing", "causes":
        assert found[key] == expected[key], f"{found[key]} is not {expected[key]}"
    spark.createDataFrame([("a", 1)], "name STRING, document INT").write.parquet(str(work / "numbers.parquet"))
    try:
        run(work / "numbers.parquet")
    except RuntimeError as error:
        assert "the type int" in str(error), error
    else:
        raise AssertionError("numbers are no documents")


def on_warc_files(work, run):
    source = work / "crawl"
    source.mkdir()
    maker = [sys.executable, ROOT / "tests/tests/documents/warc.py"]
    for number in range(3):
        subprocess.run([*maker, "pages", source / f"{number}.warc.gz", *corpora()[number::30]], check=True)
    subprocess.run([*maker, "special", source / "special.warc.gz"], check=True)
    whole = (source / "0.warc.gz").read_bytes()
    (source / "cut.warc.gz").write_bytes(whole[: len(whole) // 2])
    (source / "no.warc").write_text("<!DOCTYPE html>")
    (source / "another.txt").write_text("not read")
    out = run(source, "--format", "warc")
    found = (out / "survey.json").read_text()
    pattern = f"{source}/*.warc*"
    renamed = found.replace(f'"file":"{source}"', f'"file":"{pattern}"')
    check(run(pattern, "--format", "warc", "--partitions", "2"), renamed)
    command = [sys.executable, HERE / "warc_to_json.py", *sorted(source.glob("*.warc*"))]
    lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    expected = json.loads(single_process(lines, source, "--format", "json"))
    found = json.loads(found)
    # Lines of JSON do not say what is left out, and what was not UTF-8.
    assert found["skipped"].pop("another content type") == 2 and found["skipped"].pop("no HTTP response") > 40, found
    assert found["notUtf8"] == 1, found
    expected["notUtf8"] = 1
    assert found == expected, f"{found} is not {expected}"
    unread = str(found["unread"])
    assert unread.count("the file ends in the record") == 2, unread
    for name in "no.warc", "https://example.org/brotli", "https://example.org/cut", "https://example.org/long":
        assert name in unread, unread


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        settings = {"spark.master": "local-cluster[2,1,1024]", "spark.ui.enabled": "false", "spark.log.level": "WARN",
                    "spark.ui.showConsoleProgress": "false", "spark.local.dir": folder}
        builder = SparkSession.builder
        for key, value in settings.items():
            builder = builder.config(key, value)
        begun = time.monotonic()
        refused(work)
        source, *expected = json_pages(work)
        check(with_an_executor_killed(work, settings, source), *expected)
        print(f"with an executor killed: {time.monotonic() - begun:.0f} s", flush=True)
        spark = builder.getOrCreate()
        spark.sparkContext.addPyFile(str(HERE / "survey.py"))

        def run(pages, *options):
            out = Path(tempfile.mkdtemp(dir=work))
            survey.run(spark, survey.arguments([*TABLES, "--pages", str(pages), "--out", str(out), "--speclex", SPECLEX, *options]))
            return out

        try:
            on_json(work, run, source, *expected)
            on_parquet(work, run, spark)
            on_warc_files(work, run)
        finally:
            spark.stop()
        print(f"examples/spark: all is as it should be, {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
