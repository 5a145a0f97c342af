package io.plimsoll.report;

import io.plimsoll.result.CheckResult;
import io.plimsoll.result.Invalidity;
import io.plimsoll.result.Outcome;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * A run in the XML of CI test results: a suite for each trial, with cases for its checks, its audit and its validity.
 */
public final class JunitReport {
    /** The outcome of a case in XML. An error means that the case is undecided. */
    private enum Kind {
        PASSED,
        FAILURE,
        ERROR,
        SKIPPED;

        static Kind of(Outcome outcome) {
            return switch (outcome) {
                case USABLE -> PASSED;
                case UNUSABLE -> ERROR;
                case FAILED -> FAILURE;
            };
        }
    }

    private record Case(String name, Kind kind, @Nullable Sentence message) {
        static Case of(String key, Kind kind, @Nullable Sentence message) {
            return new Case(Sentence.of(key).english(), message == null ? Kind.PASSED : kind, message);
        }

        /** In a search, trials beyond the ceiling are expected to fail: their failures are reported as skipped. */
        Case of(RunResult result) {
            return result.ceilings().isEmpty() || kind == Kind.PASSED ? this : new Case(name, Kind.SKIPPED, message);
        }
    }

    /** @param trial null for the run as a whole */
    private record Suite(String name, @Nullable TrialResult trial, List<Case> cases) {
        double seconds() {
            return trial == null ? 0 : trial.course().measuredSeconds();
        }
    }

    public static String render(RunResult result) {
        try {
            Node document =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
            List<Suite> suites = suites(result);
            Element root = element(document, "testsuites", result.head().name());
            count(root, suites);
            suites.forEach(suite -> write(root, suite, result));
            Transformer writer = TransformerFactory.newInstance().newTransformer();
            writer.setOutputProperty(OutputKeys.INDENT, "yes");
            StringWriter out = new StringWriter();
            writer.transform(new DOMSource(document), new StreamResult(out));
            return out.toString();
        } catch (ParserConfigurationException | TransformerException e) {
            throw new IllegalStateException("a writer in memory does not fail", e);
        }
    }

    private static List<Suite> suites(RunResult result) {
        List<Suite> suites = new ArrayList<>();
        result.trials().forEach(t -> suites.add(new Suite(result.head().name() + "." + t.name(), t, cases(t, result))));
        Kind kind = Kind.of(result.head().outcome());
        boolean explained = suites.stream().flatMap(s -> s.cases().stream()).anyMatch(c -> c.kind() == kind);
        suites.add(new Suite(result.head().name(), null, List.of(verdict(result, kind, explained))));
        return suites;
    }

    /** The result of the whole run: whether it was cut short or did not find its ceiling. */
    private static Case verdict(RunResult result, Kind kind, boolean explained) {
        boolean ended = result.head().exitCode() != null && result.head().exitCode() < 6;
        boolean reported = kind == Kind.PASSED || (explained && ended);
        return Case.of(
                "report.junit.run", kind, reported ? null : result.verdict().sentence());
    }

    private static List<Case> cases(TrialResult trial, RunResult result) {
        List<Case> cases = new ArrayList<>();
        for (CheckResult check : trial.judgement().checks()) {
            Sentence message = check.passed() ? null : failure(check);
            cases.add(new Case(check.check(), message == null ? Kind.PASSED : Kind.FAILURE, message).of(result));
        }
        cases.add(audit(trial));
        Sentence invalid = Invalidity.of(trial)
                .map(why -> why.said(List.of(trial.name()), true))
                .orElse(null);
        cases.add(Case.of("report.junit.cluster", Kind.ERROR, invalid).of(result));
        boolean whole = trial.course().complete();
        cases.add(Case.of("report.junit.whole", Kind.SKIPPED, whole ? null : Sentence.of("report.junit.cutShort")));
        return cases;
    }

    private static Sentence failure(CheckResult check) {
        return check.measured() == null
                ? Sentence.of("report.junit.notMeasured", check.check())
                : Sentence.of("report.junit.fails", check.check(), Units.figure(check.measured(), check.unit()));
    }

    private static Case audit(TrialResult trial) {
        if (trial.audit() == null) {
            return Case.of("report.junit.audit", Kind.SKIPPED, Sentence.of("report.junit.notAsked"));
        }
        Sentence text = AuditText.of(trial.audit());
        List<Sentence> findings = trial.audit().findings();
        Sentence found = findings.isEmpty() ? text : Sentence.of("report.junit.found", text, findings);
        boolean violated = trial.audit().violated();
        boolean unsound = violated || !trial.audit().complete();
        return Case.of("report.junit.audit", violated ? Kind.FAILURE : Kind.SKIPPED, unsound ? found : null);
    }

    private static void write(Element root, Suite suite, RunResult result) {
        Element xml = element(root, "testsuite", suite.name());
        count(xml, List.of(suite));
        TrialResult trial = suite.trial();
        Object at = trial == null ? result.head().startedAt() : trial.course().startedAt();
        if (at != null) {
            set(xml, "timestamp", at.toString().replaceAll("(\\.\\d+)?Z$", ""));
        }
        for (Case c : suite.cases()) {
            Element one = element(xml, "testcase", c.name());
            set(one, "classname", suite.name());
            set(one, "time", seconds(suite.seconds() / suite.cases().size()));
            if (c.kind() == Kind.PASSED) {
                continue;
            }
            Element outcome = add(one, c.kind().name().toLowerCase(Locale.ROOT));
            set(outcome, "message", c.message());
            if (c.kind() != Kind.SKIPPED) {
                set(
                        outcome,
                        "type",
                        c.kind() == Kind.ERROR ? "unusable" : c.name().equals("audit") ? "audit" : "check");
            }
        }
        if (trial != null && !trial.judgement().warnings().isEmpty()) {
            Sentence warnings = Sentence.joined(trial.judgement().warnings());
            add(xml, "system-out").setTextContent(Text.printable(warnings.english()));
        }
    }

    private static void count(Element xml, List<Suite> suites) {
        List<Case> cases = suites.stream().flatMap(s -> s.cases().stream()).toList();
        set(xml, "tests", cases.size());
        set(
                xml,
                "failures",
                cases.stream().filter(c -> c.kind() == Kind.FAILURE).count());
        set(xml, "errors", cases.stream().filter(c -> c.kind() == Kind.ERROR).count());
        set(xml, "skipped", cases.stream().filter(c -> c.kind() == Kind.SKIPPED).count());
        set(xml, "time", seconds(suites.stream().mapToDouble(Suite::seconds).sum()));
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.3f", seconds);
    }

    private static Element element(Node parent, String element, String name) {
        Element child = add(parent, element);
        set(child, "name", name);
        return child;
    }

    private static Element add(Node parent, String element) {
        Document document = parent instanceof Document d ? d : parent.getOwnerDocument();
        Element child = document.createElement(element);
        parent.appendChild(child);
        return child;
    }

    /** Sets an attribute, without characters that are invalid in XML. */
    private static void set(Element element, String name, @Nullable Object value) {
        element.setAttribute(name, Text.printable(String.valueOf(value)));
    }
}
