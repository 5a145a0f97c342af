package io.plimsoll.report.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.report.html.Page;
import io.plimsoll.report.html.RunSeries;
import io.plimsoll.report.html.RunSeries.TrialSeries;
import io.plimsoll.report.picture.Chart.Line;
import io.plimsoll.report.picture.Drawing.Point;
import io.plimsoll.report.picture.RunCharts.LinesOverTime;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Fold;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.text.Language;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** Pictures show the measurements at the right place, in the reader's language and without a browser. */
class PicturesTest {
    private static final Pattern PATH = Pattern.compile("<polyline[^>]* points=\"([^\"]+)\"");

    @TempDir
    Path directory;

    private static RunResult result(List<TimelineEvent> events) {
        return Fold.fold(events.stream());
    }

    private static RunSeries series(List<TimelineEvent> events) {
        return RunSeries.of(events.stream());
    }

    @Test
    void axisUsesUnitOfItsFigure() {
        assertThat(RunCharts.format(Dimension.BYTES).apply(255_000_000)).isEqualTo("255 MB");
        assertThat(RunCharts.format(Dimension.BYTES_PER_SECOND).apply(20_500_000))
                .isEqualTo("20.5 MB/s");
        assertThat(RunCharts.format(Dimension.COUNT).apply(1_200_000)).isEqualTo("1.2 M");
    }

    @Test
    void everyChartedFigureHasANamedLineInEachLanguage() {
        List<Number> times = List.of(1, 2, 3);
        for (Figure figure : FigureCatalogue.charted()) {
            Map<String, List<Number>> columns = new HashMap<>();
            String ending = figure.id().substring(figure.id().indexOf('.'));
            List<String> names = figure.isLatency()
                    ? TrialSeries.PERCENTILES.stream()
                            .map(s -> figure.id() + "." + s.text())
                            .toList()
                    : figure.ofEach() != null
                            ? List.of(figure.ofEach() + "1" + ending, figure.ofEach() + "10" + ending)
                            : List.of(figure.id());
            names.forEach(name -> columns.put(name, List.of(1, 5, 2)));
            for (Language language : Language.values()) {
                List<Line> lines = new LinesOverTime(times, columns, language).of(List.of(figure));
                assertThat(lines).as(figure.id()).hasSize(names.size());
                assertThat(lines).allSatisfy(line -> assertThat(line.name()).isNotBlank());
            }
        }
    }

    @Test
    void everyTrialHasWellFormedPictures() throws Exception {
        List<TimelineEvent> events = Timelines.quick();
        for (Language language : Language.values()) {
            Map<Path, String> written =
                    Pictures.svg(language).write(result(events), series(events), directory.resolve(language.code()));
            assertThat(written.keySet())
                    .extracting(file -> file.getFileName().toString())
                    .contains("latency-throughput.svg", "latency-response.svg", "throughput-response.svg")
                    .contains("throughput-spectrum.svg", "throughput-heat.svg", "latency-cpu.svg");
            for (Path file : written.keySet()) {
                Document svg = DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(Files.readString(file))));
                assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
                assertThat(svg.getElementsByTagName("title").item(0).getTextContent())
                        .isEqualTo(written.get(file));
            }
        }
        assertThat(directory.resolve("zh/latency-response.svg")).content().contains("响应时间");
    }

    @Test
    void spikeAppearsAtItsTime() throws IOException {
        List<Second> seconds = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            seconds.add(new Second(5000, Timelines.latencies(5000, i == 13 ? 800_000 : 1000)));
        }
        List<TimelineEvent> events = new ArrayList<>();
        events.add(Timelines.runStarted("spike"));
        events.addAll(Timelines.trial("one", Timelines.plan(true), List.of(), seconds));
        Pictures.svg(Language.EN).write(result(events), series(events), directory);

        Matcher paths = PATH.matcher(Files.readString(directory.resolve("response.svg")));
        List<Point> curves = new ArrayList<>();
        while (paths.find()) {
            List<Point> path = points(paths.group(1));
            if (path.size() > 5) {
                curves.addAll(path);
            }
        }
        Point highest =
                curves.stream().min(Comparator.comparingDouble(Point::y)).orElseThrow();
        // The end of the fourteenth of twenty seconds.
        assertThat(highest.x()).isCloseTo(86 + 14 / 20.0 * (934 - 86), within(0.2));
        assertThat(curves.stream().filter(p -> p.y() < highest.y() + 30).map(Point::x))
                .allMatch(x -> Math.abs(x - highest.x()) < 0.2);
    }

    /** As on the page: a chart of each figure that labels have, with a line for each label. */
    @Test
    void labelsHaveTheirOwnCharts() throws IOException {
        List<Second> seconds = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            seconds.add(new Second(5000, Timelines.latencies(5000, 1000)).labeled("team=payments"));
        }
        List<TimelineEvent> events = new ArrayList<>();
        events.add(Timelines.runStarted("labels"));
        events.addAll(Timelines.trial("one", Timelines.plan(true), List.of(), seconds));
        for (Language language : Language.values()) {
            Path report = directory.resolve(language.code() + ".md");
            Map<String, String> written = Pictures.beside(report, result(events), series(events), language);
            for (String figure : TrialSeries.BY_LABEL.keySet()) {
                String file = language.code() + "-pictures/label-" + figure.replace('.', '-') + ".svg";
                assertThat(written)
                        .containsEntry(
                                file,
                                Page.catalogue(language)
                                                .path("time.label." + figure)
                                                .asText()
                                        + " · team=payments");
                assertThat(directory.resolve(file)).content().contains("team=payments");
            }
        }
    }

    private static List<Point> points(String text) {
        return Pattern.compile(" ")
                .splitAsStream(text)
                .map(pair -> pair.split(","))
                .map(pair -> new Point(Double.parseDouble(pair[0]), Double.parseDouble(pair[1])))
                .toList();
    }

    @Test
    void pngDecodesAndShowsItsLines() throws IOException {
        Pictures pictures = Pictures.png(Language.EN).orElse(null);
        Assumptions.assumeThat(pictures).as("fonts").isNotNull();
        List<TimelineEvent> events = Timelines.quick();
        Map<Path, String> written = pictures.write(result(events), series(events), directory);
        assertThat(written).isNotEmpty();
        for (Path file : written.keySet()) {
            BufferedImage image = ImageIO.read(file.toFile());
            assertThat(image.getWidth()).isEqualTo(2 * Drawing.WIDTH);
            int[] dots = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
            long ink = java.util.Arrays.stream(dots)
                    .filter(dot -> (dot & 0xffffff) != 0xffffff)
                    .count();
            assertThat(ink).as(file.toString()).isGreaterThan(dots.length / 200);
        }
        int acknowledged = Integer.parseInt(RunCharts.color("c1").substring(1), 16);
        BufferedImage throughput =
                ImageIO.read(directory.resolve("latency-throughput.png").toFile());
        assertThat(throughput.getRGB(
                        0, 0, throughput.getWidth(), throughput.getHeight(), null, 0, throughput.getWidth()))
                .contains(0xff000000 | acknowledged);
    }

    @Test
    void trialNamesBecomeNeitherMarkupNorPaths() throws IOException {
        List<TimelineEvent> events = new ArrayList<>();
        events.add(Timelines.runStarted("bad"));
        String longest = "压".repeat(100);
        for (String name : List.of("../<script>&", "..\\<script>&", "压测 一", longest, "𠀀".repeat(50))) {
            events.addAll(Timelines.trial(
                    name, Timelines.plan(true), List.of(), List.of(new Second(10, Timelines.latencies(10, 1000)))));
        }
        Map<Path, String> written = Pictures.svg(Language.EN).write(result(events), series(events), directory);
        assertThat(written.keySet()).allMatch(file -> file.getParent().equals(directory));
        assertThat(written.keySet())
                .extracting(file -> file.getFileName().toString())
                .contains("script-response.svg", "script-response-2.svg", "压测-一-response.svg")
                .contains(longest.substring(0, 60 - "-response".length()) + "-response.svg");
        assertThat(Files.readString(directory.resolve("script-response.svg")))
                .contains("&lt;script&gt;&amp;")
                .doesNotContain("<script");
    }
}
