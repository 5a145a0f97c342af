package io.plimsoll.report;

import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.CheckResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A run as the XML that CI systems show as test results: a suite for each trial, with a case for each check, for the
 * audit, and for whether the trial measures the cluster at all.
 */
public final class JunitReport {
    private final RunResult result;
    private final XMLStreamWriter xml;

    private JunitReport(RunResult result, XMLStreamWriter xml) {
        this.result = result;
        this.xml = xml;
    }

    /**
     * @param failure what is wrong, in a sentence; null if nothing is
     * @param skipped why it was not looked at; null if it was
     */
    private record Case(String name, String failure, String skipped) {}

    private record Suite(String name, TrialResult trial, List<Case> cases) {
        long failures() {
            return cases.stream().filter(c -> c.failure() != null).count();
        }

        long skipped() {
            return cases.stream().filter(c -> c.skipped() != null).count();
        }

        double seconds() {
            return trial == null ? 0 : trial.course().measuredSeconds();
        }
    }

    public static String render(RunResult result) {
        StringWriter out = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(out);
            new JunitReport(result, xml).write();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("a writer in memory does not fail", e);
        }
        return out.append('\n').toString();
    }

    private void write() throws XMLStreamException {
        List<Suite> suites = suites();
        xml.writeStartDocument("UTF-8", "1.0");
        start(0, "testsuites");
        attribute("name", result.head().name());
        attribute("tests", suites.stream().mapToLong(s -> s.cases().size()).sum());
        attribute("failures", suites.stream().mapToLong(Suite::failures).sum());
        attribute("errors", 0);
        attribute("skipped", suites.stream().mapToLong(Suite::skipped).sum());
        attribute("time", seconds(suites.stream().mapToDouble(Suite::seconds).sum()));
        for (Suite suite : suites) {
            suite(suite);
        }
        end(0);
        xml.writeEndDocument();
    }

    private List<Suite> suites() {
        List<Suite> suites = new ArrayList<>();
        result.trials().forEach(t -> suites.add(new Suite(result.head().name() + "." + t.name(), t, cases(t))));
        suites.add(new Suite(result.head().name(), null, List.of(verdict())));
        return suites;
    }

    /** What no trial says alone: a run that was cut short, or did not find its ceiling. */
    private Case verdict() {
        boolean explained =
                result.trials().stream().flatMap(t -> cases(t).stream()).anyMatch(c -> c.failure() != null);
        boolean ended = result.head().exitCode() != null && result.head().exitCode() < 6;
        boolean failed = !result.verdict().passed() && (!explained || !ended);
        return new Case(
                "the run as a whole", failed ? result.verdict().sentence().english() : null, null);
    }

    private static List<Case> cases(TrialResult trial) {
        List<Case> cases = new ArrayList<>();
        for (CheckResult check : trial.judgement().checks()) {
            String measured = check.measured() == null
                    ? "It could not be measured."
                    : "It was " + Units.figure(check.measured(), check.unit()) + ".";
            cases.add(new Case(
                    check.check(), check.passed() ? null : check.check() + " does not hold. " + measured, null));
        }
        cases.add(audit(trial));
        boolean limited = Boolean.FALSE.equals(trial.course().valid());
        cases.add(new Case(
                "measures the cluster, not the load generator",
                limited ? "The load generator was the limit." : null,
                null));
        cases.add(new Case(
                "ran to its end",
                null,
                trial.course().complete() ? null : "The trial was cut short; figures are those until then."));
        return cases;
    }

    private static Case audit(TrialResult trial) {
        if (trial.audit() == null) {
            return new Case("audit", null, "not asked for");
        }
        boolean damaged = trial.audit().violated();
        String text = AuditText.of(trial.audit()).english()
                + (trial.audit().findings().isEmpty()
                        ? ""
                        : ": "
                                + trial.audit().findings().stream()
                                        .map(Sentence::english)
                                        .collect(Collectors.joining("; ")));
        return new Case("audit", damaged ? text : null, null);
    }

    private void suite(Suite suite) throws XMLStreamException {
        start(1, "testsuite");
        attribute("name", suite.name());
        attribute("tests", suite.cases().size());
        attribute("failures", suite.failures());
        attribute("errors", 0);
        attribute("skipped", suite.skipped());
        attribute("time", seconds(suite.seconds()));
        Object at = suite.trial() == null
                ? result.head().startedAt()
                : suite.trial().course().startedAt();
        if (at != null) {
            attribute("timestamp", at.toString().replaceAll("(\\.\\d+)?Z$", ""));
        }
        for (Case c : suite.cases()) {
            testCase(suite, c);
        }
        if (suite.trial() != null && !suite.trial().judgement().warnings().isEmpty()) {
            start(2, "system-out");
            xml.writeCharacters(Text.printable(
                    Sentence.joined(suite.trial().judgement().warnings()).english()));
            xml.writeEndElement();
        }
        end(1);
    }

    private void testCase(Suite suite, Case c) throws XMLStreamException {
        start(2, "testcase");
        attribute("classname", suite.name());
        attribute("name", c.name());
        attribute("time", seconds(suite.seconds() / suite.cases().size()));
        if (c.failure() != null) {
            start(3, "failure");
            attribute("message", c.failure());
            attribute("type", c.name().equals("audit") ? "audit" : "check");
            xml.writeEndElement();
        } else if (c.skipped() != null) {
            start(3, "skipped");
            attribute("message", c.skipped());
            xml.writeEndElement();
        }
        if (c.failure() != null || c.skipped() != null) {
            end(2);
        } else {
            xml.writeEndElement();
        }
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.3f", seconds);
    }

    private void start(int depth, String element) throws XMLStreamException {
        indent(depth);
        xml.writeStartElement(element);
    }

    private void end(int depth) throws XMLStreamException {
        indent(depth);
        xml.writeEndElement();
    }

    private void indent(int depth) throws XMLStreamException {
        xml.writeCharacters("\n" + "  ".repeat(depth));
    }

    /** Without characters that XML does not have. */
    private void attribute(String name, Object value) throws XMLStreamException {
        xml.writeAttribute(name, Text.printable(String.valueOf(value)));
    }
}
