package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.Exit;
import io.plimsoll.measure.Endings;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunResult;
import io.plimsoll.testing.RecordedRuns;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** Run output for programs and CI systems: JUnit XML and comma-separated values. */
class CiReportsTest {
    /** The format common to Jenkins, GitLab, GitHub's reporters and Ant. */
    private static final String SCHEMA = """
        <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
          <xs:attributeGroup name="counts">
            <xs:attribute name="name" type="xs:string" use="required"/>
            <xs:attribute name="tests" type="xs:nonNegativeInteger" use="required"/>
            <xs:attribute name="failures" type="xs:nonNegativeInteger" use="required"/>
            <xs:attribute name="errors" type="xs:nonNegativeInteger" use="required"/>
            <xs:attribute name="skipped" type="xs:nonNegativeInteger"/>
            <xs:attribute name="time" type="xs:decimal"/>
          </xs:attributeGroup>
          <xs:complexType name="message"><xs:simpleContent><xs:extension base="xs:string">
            <xs:attribute name="message" type="xs:string"/><xs:attribute name="type" type="xs:string"/>
          </xs:extension></xs:simpleContent></xs:complexType>
          <xs:element name="testsuites"><xs:complexType>
            <xs:sequence><xs:element name="testsuite" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
              <xs:sequence>
                <xs:element name="testcase" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
                  <xs:choice minOccurs="0">
                    <xs:element name="failure" type="message"/><xs:element name="error" type="message"/>
                    <xs:element name="skipped" type="message"/>
                  </xs:choice>
                  <xs:attribute name="name" type="xs:string" use="required"/>
                  <xs:attribute name="classname" type="xs:string" use="required"/>
                  <xs:attribute name="time" type="xs:decimal"/>
                </xs:complexType></xs:element>
                <xs:element name="system-out" type="xs:string" minOccurs="0"/>
              </xs:sequence>
              <xs:attributeGroup ref="counts"/>
              <xs:attribute name="timestamp" type="xs:dateTime"/>
            </xs:complexType></xs:element></xs:sequence>
            <xs:attributeGroup ref="counts"/>
          </xs:complexType></xs:element>
        </xs:schema>
        """;

    static List<RunResult> results() {
        return List.of(
                Samples.quick(),
                Samples.single(),
                Samples.matrix(),
                Samples.late(),
                Samples.empty(),
                Samples.hostile());
    }

    private static Document parsed(RunResult result) throws Exception {
        String xml = JunitReport.render(result);
        SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                .newSchema(new StreamSource(new StringReader(SCHEMA)))
                .newValidator()
                .validate(new StreamSource(new StringReader(xml)));
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }

    private static Stream<Element> elements(Document document, String name) {
        var nodes = document.getElementsByTagName(name);
        return IntStream.range(0, nodes.getLength()).mapToObj(i -> (Element) nodes.item(i));
    }

    @ParameterizedTest
    @MethodSource("results")
    void junitMatchesCiSchemaAndOutcome(RunResult result) throws Exception {
        Document document = parsed(result);
        Element root = document.getDocumentElement();
        long cases = elements(document, "testcase").count();
        long failures = elements(document, "failure").count();
        assertThat(root.getAttribute("tests")).isEqualTo(String.valueOf(cases));
        long errors = elements(document, "error").count();
        assertThat(root.getAttribute("failures")).isEqualTo(String.valueOf(failures));
        assertThat(root.getAttribute("errors")).isEqualTo(String.valueOf(errors));
        switch (result.head().outcome()) {
            case USABLE -> assertThat(failures + errors).isZero();
            case UNUSABLE -> assertThat(errors).isPositive();
            case FAILED -> assertThat(failures).isPositive();
        }
        assertThat(elements(document, "testsuite")).hasSize(result.trials().size() + 1);
    }

    @Test
    void junitHasCaseForEachCheckWithMeasuredValue() throws Exception {
        Document document = parsed(Samples.single());
        assertThat(elements(document, "testcase").map(c -> c.getAttribute("name")))
                .contains(
                        "produce.response.p99 < 5ms",
                        "audit.duplicated == 0",
                        "audit",
                        Sentence.of("report.junit.run").english());
        assertThat(elements(document, "failure").map(f -> f.getAttribute("message")))
                .anyMatch(m -> Said.en("report.junit.fails", "produce.response.p99 < 5ms")
                        .matcher(m)
                        .matches())
                .contains(Sentence.of("report.junit.notMeasured", "audit.duplicated == 0")
                        .english());
    }

    @Test
    void junitReportsAuditFindings() throws Exception {
        assertThat(elements(parsed(Samples.matrix()), "failure").map(f -> f.getAttribute("message")))
                .anyMatch(m -> m.contains("12 lost"));
    }

    /** A trial with failed clients is not limited by the load generator, and unexamined records are not a pass. */
    @Test
    void junitExplainsInvalidTrialAndSkipsIncompleteAudit() throws Exception {
        ObjectNode result = Json.MAPPER.valueToTree(Samples.single());
        ObjectNode trial = (ObjectNode) result.at("/trials/0");
        trial.put("valid", false);
        ((ObjectNode) trial.get("produce")).putObject("events").put(Endings.event("fenced"), 1);
        ((ObjectNode) trial.get("audit")).put("complete", false);
        Document document = parsed(Json.MAPPER.treeToValue(result, RunResult.class));
        assertThat(elements(document, "error").map(e -> e.getAttribute("message")))
                .anyMatch(m -> Said.en("result.endedEarly").matcher(m).find())
                .noneMatch(m -> Said.en("result.invalidIn").matcher(m).find());
        assertThat(elements(document, "error").map(e -> e.getAttribute("type"))).containsOnly("unusable");
        assertThat(elements(document, "skipped").map(s -> ((Element) s.getParentNode()).getAttribute("name")))
                .contains("audit");
        assertThat(elements(parsed(Samples.single()), "skipped")
                        .map(s -> ((Element) s.getParentNode()).getAttribute("name")))
                .doesNotContain("audit");
    }

    /** An unusable trial does not explain an internal failure. */
    @Test
    void junitOfFailedRunHasFailure() throws Exception {
        ObjectNode result = Json.MAPPER.valueToTree(Samples.quick());
        result.put("exitCode", Exit.INTERNAL.code());
        ((ObjectNode) result.get("verdict")).put("passed", false);
        ((ObjectNode) result.at("/trials/0")).put("valid", false);
        Document document = parsed(Json.MAPPER.treeToValue(result, RunResult.class));
        assertThat(elements(document, "error")).isNotEmpty();
        assertThat(elements(document, "failure")).isNotEmpty();
    }

    /** Loads beyond the ceiling are expected to fail: a successful search does not fail a build. */
    @Test
    void junitOfSearchReflectsItsOutcome(@TempDir Path directory) throws Exception {
        ObjectNode search = Json.MAPPER.valueToTree(Fold.of(RecordedRuns.open("search", directory)));
        Document outOfTime = parsed(Json.MAPPER.treeToValue(search, RunResult.class));
        assertThat(elements(outOfTime, "error")).hasSize(1);
        assertThat(elements(outOfTime, "failure")).isEmpty();
        search.put("exitCode", 0);
        ((ObjectNode) search.get("verdict")).put("passed", true);
        Document document = parsed(Json.MAPPER.treeToValue(search, RunResult.class));
        assertThat(elements(document, "failure")).isEmpty();
        assertThat(elements(document, "error")).isEmpty();
        assertThat(elements(document, "skipped").map(s -> s.getAttribute("message")))
                .contains(Sentence.of("report.junit.fails", "produce.response.p99<50ms", "92.2 ms")
                        .english());
        assertThat(document.getDocumentElement().getAttribute("failures")).isEqualTo("0");
    }

    @Test
    void csvHasTrialsChecksAndWarnings() {
        String[] tables = CsvReport.render(Samples.single()).split("\r\n\r\n");
        assertThat(tables).hasSizeGreaterThanOrEqualTo(2);
        assertThat(tables[0]).startsWith("trial,offered/s");
        assertThat(tables[1].split("\r\n"))
                .startsWith("check,passed,measured,trial")
                .contains("audit.duplicated == 0,no,not measured,steady-load")
                .anyMatch(l -> l.startsWith("produce.response.p99 < 50ms,no,")
                        || l.startsWith("produce.response.p99 < 50ms,yes,"));
    }

    /** When read back, every row of a table has as many cells as its header. */
    @ParameterizedTest
    @MethodSource("results")
    void csvRowsMatchTheirHeader(RunResult result) {
        for (String table : CsvReport.render(result).split("\r\n\r\n")) {
            Set<Integer> widths = table.lines().map(CiReportsTest::cells).collect(java.util.stream.Collectors.toSet());
            assertThat(widths).as(table).hasSize(1);
        }
    }

    private static int cells(String line) {
        boolean quoted = false;
        int cells = 1;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            quoted ^= c == '"';
            cells += c == ',' && !quoted ? 1 : 0;
        }
        return cells;
    }
}
