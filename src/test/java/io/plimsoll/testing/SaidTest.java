package io.plimsoll.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import org.junit.jupiter.api.Test;

/** Recognition by key with and without arguments, in both languages and across line breaks. */
class SaidTest {
    private static final Sentence SAID = Sentence.of("diagnose.says.host", "host a", "97 %");

    @Test
    void recognizesSentenceByKey() {
        assertThat("> " + SAID.english() + "\n")
                .containsPattern(Said.en("diagnose.says.host"))
                .containsPattern(Said.en("diagnose.says.host", "host a"))
                .containsPattern(Said.en("diagnose.says.host", null, "97 %"))
                .doesNotContainPattern(Said.en("diagnose.says.host", "host b"))
                .doesNotContainPattern(Said.zh("diagnose.says.host"));
        assertThat(SAID.in(Language.ZH)).containsPattern(Said.zh("diagnose.says.host", "host a"));
    }

    @Test
    void recognizesSentenceAcrossLineBreaks() {
        assertThat(SAID.english().replace(" ", "\n    ")).containsPattern(Said.en("diagnose.says.host"));
        assertThat(SAID.in(Language.ZH).replaceAll("(?=\\p{IsHan})", "\n  "))
                .containsPattern(Said.zh("diagnose.says.host"));
    }

    @Test
    void recognizesNestedSentences() {
        String said = Sentence.of("cli.needs", Sentence.of("cli.here.runs", 5, "a.b"), "--exec")
                .english();
        assertThat("line 7: " + said.replace(" ", "\n  "))
                .containsPattern(Said.pattern("line 7: «cli.needs¦«cli.here.runs¦…¦a.b»¦--exec»"))
                .containsPattern(Said.pattern("«cli.needs¦«cli.here.runs»»"))
                .doesNotContainPattern(Said.pattern("«cli.needs¦«cli.here.runs¦…¦aXb»»"))
                .doesNotContainPattern(Said.zhPattern("«cli.needs»"));
        assertThat(Sentence.of("cli.expected", "--scale", Sentence.of("cli.a.anyNumber"), "x")
                        .in(Language.ZH))
                .containsPattern(Said.zhPattern("«cli.expected¦--scale¦«cli.a.anyNumber»¦x»"));
    }

    @Test
    void refusesUnknownKey() {
        assertThatThrownBy(() -> Said.en("diagnose.says.nothing")).isInstanceOf(IllegalArgumentException.class);
    }
}
