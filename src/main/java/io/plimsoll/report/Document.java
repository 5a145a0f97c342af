package io.plimsoll.report;

import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A report as a list of sections in reading order, which {@link TerminalText} and {@link Markdown} render. Not thread-safe.
 */
record Document(Sentence title, List<Section> sections) {
    Document(Sentence title) {
        this(title, new ArrayList<>());
    }

    /** A document for a terminal, which shows no title. */
    Document() {
        this(Sentence.NONE);
    }

    /** @param about explanation of the figures, shown only in Markdown */
    record Section(Sentence title, Sentence about, List<Block> blocks) {}

    /** Adds a section, unless all of its blocks are empty. */
    Document add(Sentence title, Sentence about, List<Block> blocks) {
        List<Block> kept = blocks.stream().filter(b -> b != Block.NONE).toList();
        if (!kept.isEmpty()) {
            sections.add(new Section(title, about, kept));
        }
        return this;
    }

    Document add(Sentence title, Block... blocks) {
        return add(title, Sentence.NONE, List.of(blocks));
    }

    Document add(Block... blocks) {
        return add(Sentence.NONE, blocks);
    }

    /** @param key of the section's title, without {@code report.title.} */
    Document add(String key, Block... blocks) {
        return add(Sentence.of("report.title." + key), blocks);
    }

    /** Adds a table with an explanation under the same key. */
    Document explained(String key, Table<?> table, Block... more) {
        return add(
                Sentence.of("report.title." + key),
                Sentence.of("report.about." + key),
                Stream.concat(Stream.of(Block.rows(table)), Stream.of(more)).toList());
    }
}
