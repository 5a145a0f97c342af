package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.RunResult;
import io.plimsoll.text.Language;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Guards the report on a Chinese terminal: no English text of ours, the same figures, and lines that fit. */
class ChineseReportTest {
    private static final int WIDTH = 90;
    /** No text is omitted, and no number separated from its unit. */
    private static final int ROOMY = 300;

    private static final Pattern ENGLISH = Pattern.compile("(?<![\\w./=-])[a-z]{2,}(?: [a-z]{2,}){3,}");
    private static final Pattern FIGURE = Pattern.compile("\\d[\\d,.]* (?:ms|MB|KB|s|%)(?!\\w)");

    @ParameterizedTest
    @MethodSource("results")
    void speaksChineseThroughout(RunResult result) {
        String chinese = RunReport.terminal(result, new Look(ROOMY, false, Language.ZH));
        String english = RunReport.terminal(result, new Look(ROOMY, false, Language.EN));
        assertThat(ENGLISH.matcher(chinese).results()).isEmpty();
        assertThat(chinese).containsPattern("\\p{IsHan}");
        assertThat(english).doesNotContainPattern("\\p{IsHan}");
        assertThat(figures(chinese)).isEqualTo(figures(english));
        assertThat(RunReport.terminal(result, new Look(WIDTH, false, Language.ZH))
                        .lines())
                .allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(WIDTH));
    }

    static List<RunResult> results() {
        return List.of(Samples.quick(), Samples.single(), Samples.late(), Samples.matrix());
    }

    private static List<String> figures(String text) {
        return FIGURE.matcher(text)
                .results()
                .map(m -> m.group())
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    void wrapsChineseBetweenCharactersButNotBeforePunctuation() {
        List<String> lines = Text.wrap("吞吐量为 96.9 MB/s，响应时间的中位数是 2.4 ms（p99 12.8 ms）；没有丢失记录。", 20);
        assertThat(String.join("", lines).replace(" ", "")).isEqualTo("吞吐量为96.9MB/s，响应时间的中位数是2.4ms（p9912.8ms）；没有丢失记录。");
        assertThat(lines).hasSizeGreaterThan(3).allSatisfy(line -> {
            assertThat(Text.width(line)).isLessThanOrEqualTo(21);
            assertThat(line).doesNotStartWith("，").doesNotStartWith("；").doesNotStartWith("）");
        });
        assertThat(Text.wrap("an English line stays as it was", 12))
                .containsExactly("an English", "line stays", "as it was");
    }
}
