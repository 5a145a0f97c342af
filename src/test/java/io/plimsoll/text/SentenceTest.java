package io.plimsoll.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.text.Wording.Template;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Guards how a key and its arguments are rendered, in each language. */
class SentenceTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{0} [record is|records are] left; 1; 1 record is left",
                "{0} [record is|records are] left; 2; 2 records are left",
                "{0} [record is|records are] left; 1,000; 1,000 records are left",
                "The [record|records] {0}; 1; The record 1",
                "[is|are] it {0}; 3; are it 3",
                "producers[0].rate {0}; 3; producers[0].rate 3",
                "{no place} {0}; 3; {no place} 3"
            })
    void choosesPluralByNumber(String template, String argument, String words) {
        assertThat(fill(template, argument)).isEqualTo(words);
    }

    @Test
    void pluralMayReferToAnyPlaceholder() {
        assertThat(fill("{0} of {1} [0:check|checks]", "1", "3")).isEqualTo("1 of 3 check");
        assertThat(fill("{0} of {1} [check|checks]", "1", "3")).isEqualTo("1 of 3 checks");
        assertThat(fill("[broker|brokers] {0}", List.of(3))).isEqualTo("broker 3");
        assertThat(fill("[broker|brokers] {0}", List.of(1, 3))).isEqualTo("brokers 1 and 3");
    }

    @Test
    void formatsListsPerLanguage() {
        assertThat(Sentence.list(List.of("a"), 3).english()).isEqualTo("a");
        assertThat(Sentence.list(List.of("a", "b", "c"), 3).english()).isEqualTo("a, b and c");
        assertThat(Sentence.list(List.of("a", "b", "c", "d"), 3).english()).isEqualTo("a, b and 2 more");
        assertThat(Sentence.list(List.of("a", "b", "c"), 3).in(Language.ZH)).isEqualTo("a、b 和 c");
        assertThat(Sentence.list(List.of("a", "b", "c", "d"), 3).in(Language.ZH))
                .isEqualTo("a、b 和另外 2 个");
        assertThat(fill("({0|; })", List.of("a", "b"))).isEqualTo("(a; b)");
        assertThat(fill("({0})", List.of())).isEqualTo("()");
    }

    @Test
    void nestsSentences() {
        Sentence inner = Sentence.list(List.of("磁盘", Sentence.list(List.of("x", "网络"), 2)), 2);
        assertThat(inner.english()).isEqualTo("磁盘 and x and 网络");
        assertThat(inner.in(Language.ZH)).isEqualTo("磁盘和 x 和网络");
        assertThat(Sentence.joined(List.of(Sentence.verbatim("One."), Sentence.verbatim("Two.")))
                        .english())
                .isEqualTo("One. Two.");
    }

    @Test
    void comparesByKeyAndArguments() {
        assertThat(Sentence.list(List.of(1, 2), 3)).isEqualTo(Sentence.list(List.of("1", "2"), 3));
        assertThat(Sentence.list(List.of(1, 2), 3)).isNotEqualTo(Sentence.verbatim("1 and 2"));
        assertThat(Sentence.list(List.of(Sentence.verbatim("a")), 3)).isEqualTo(Sentence.list(List.of("a"), 3));
    }

    @Test
    void refusesUnknownKeysAndWrongArity() {
        assertThatThrownBy(() -> Sentence.of("text.nobodyKnows")).hasMessageContaining("text.nobodyKnows");
        assertThatThrownBy(() -> Sentence.of("noRoom.list", "a")).hasMessageContaining("noRoom.list");
        assertThatThrownBy(() -> Sentence.of("list", "a")).hasMessageContaining("list");
        assertThatThrownBy(() -> Sentence.of("text.more", "a")).hasMessage("no sentence with 1 places: text.more");
    }

    @Test
    void rendersNullArgument() {
        String none = new IllegalStateException().getMessage();
        assertThat(Sentence.of("text.more", "a", none).english()).isEqualTo("a and null more");
    }

    private static String fill(String template, Object... arguments) {
        return new Template(template).fill(List.of(arguments), Language.EN, Object::toString);
    }
}
