package io.plimsoll.report;

import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A report as a list of sections in reading order, which {@link TerminalText} and {@link Markdown} render. Not thread-safe.
 */
final class Document {
    private final Sentence title;
    private final List<Section> sections = new ArrayList<>();

    /** @param title where it is a page; a terminal has the command above it */
    Document(Sentence title) {
        this.title = title;
    }

    /**
     * @param title {@link Sentence#NONE} for none
     * @param about explanation of its figures in Markdown, shown on pages; {@link Sentence#NONE} for none
     */
    record Section(Sentence title, Sentence about, List<Block> blocks) {}

    Sentence title() {
        return title;
    }

    /** From the top; none is empty. */
    List<Section> sections() {
        return sections;
    }

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

    /** Without a title. */
    Document add(Block... blocks) {
        return add(Sentence.NONE, blocks);
    }

    /** @param key of its title, without {@code report.title.} */
    Document add(String key, Block... blocks) {
        return add(Sentence.of("report.title." + key), blocks);
    }

    /** A table that needs an explanation, which has the same name as the title. */
    Document explained(String key, Table<?> table, Block... more) {
        return add(
                Sentence.of("report.title." + key),
                Sentence.of("report.about." + key),
                Stream.concat(Stream.of(Block.rows(table)), Stream.of(more)).toList());
    }
}
