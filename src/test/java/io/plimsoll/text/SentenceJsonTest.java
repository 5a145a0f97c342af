package io.plimsoll.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Guards that sentences survive JSON, and that their English text stays in its field. */
class SentenceJsonTest {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new SentenceJson())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({@JsonSubTypes.Type(value = Said.class, name = "said")})
    private sealed interface Event {}

    private record Said(String before, Sentence text, double figure, List<Sentence> others, Said inner)
            implements Event {}

    private static final Sentence NESTED = Sentence.list(List.of("a", Sentence.list(List.of("b", "c"), 2), "d"), 9);

    private static final Said SAID = new Said(
            "first",
            NESTED,
            0.25,
            List.of(Sentence.verbatim("As it is."), NESTED),
            new Said(null, null, 1, List.of(), null));

    @Test
    void writesKeyAndArgumentsBesideEnglishText() {
        assertThat(JSON.valueToTree(SAID).toPrettyString().replace(System.lineSeparator(), "\n"))
                .isEqualTo("""
                    {
                      "type" : "said",
                      "before" : "first",
                      "text" : "a, b and c and d",
                      "textKeyed" : {
                        "key" : "text.list",
                        "arguments" : [ [ "a", {
                          "key" : "text.list",
                          "arguments" : [ [ "b", "c" ] ]
                        }, "d" ] ]
                      },
                      "figure" : 0.25,
                      "others" : [ "As it is.", "a, b and c and d" ],
                      "othersKeyed" : [ null, {
                        "key" : "text.list",
                        "arguments" : [ [ "a", {
                          "key" : "text.list",
                          "arguments" : [ [ "b", "c" ] ]
                        }, "d" ] ]
                      } ],
                      "inner" : {
                        "type" : "said",
                        "before" : null,
                        "text" : null,
                        "figure" : 1.0,
                        "others" : [ ],
                        "inner" : null
                      }
                    }\
                    """);
    }

    @Test
    void roundTripsThroughJsonAndCbor() throws IOException {
        assertThat(JSON.readValue(JSON.writeValueAsBytes(SAID), Event.class)).isEqualTo(SAID);
        ObjectMapper binary = CBORMapper.builder().addModule(new SentenceJson()).build();
        Said read = binary.readValue(binary.writeValueAsBytes(SAID), Said.class);
        assertThat(read).isEqualTo(SAID);
        assertThat(read.text().in(Language.ZH)).isEqualTo("a、b 和 c 和 d");
    }

    @Test
    void showsTextOfOtherVersionsVerbatim() throws IOException {
        Said earlier = JSON.readValue(
                "{\"type\": \"said\", \"text\": \"All went well.\", \"others\": [\"So did this.\"]}", Said.class);
        assertThat(earlier.text().in(Language.ZH)).isEqualTo("All went well.");
        assertThat(earlier.others()).containsExactly(Sentence.verbatim("So did this."));
        Said later = JSON.readValue("""
            {"type": "said", "text": "All is new.", "textKeyed": {"key": "text.new", "arguments": []},
             "others": ["a, b"], "othersKeyed": [{"key": "text.list", "arguments": [["a"], "b"]}]}
            """, Said.class);
        assertThat(later.text()).isEqualTo(Sentence.verbatim("All is new."));
        assertThat(later.others()).containsExactly(Sentence.verbatim("a, b"));
    }
}
