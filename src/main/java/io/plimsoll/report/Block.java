package io.plimsoll.report;

import io.plimsoll.text.Sentence;
import java.util.List;

/** A part of a section of a {@link Document}. It shows itself on any {@link Medium}. */
interface Block {
    Block NONE = medium -> {};

    void show(Medium medium);

    interface Medium {
        void verdict(Mark mark, Sentence text);

        void heading(Sentence text);

        void text(Sentence text, boolean aside);

        void remarks(List<Remark> remarks);

        void rows(Table<?> table);

        void facts(List<Fact> facts);

        void commands(List<Command> commands);

        void code(String language, String text);

        void picture(String path, String title);
    }

    record Remark(Mark mark, Sentence text, List<Sentence> evidence) {}

    record Fact(Sentence label, Sentence text) {}

    /** @param command ready to paste into a shell, except for placeholders in capital letters */
    record Command(String command, Sentence why) {}

    static Block verdict(Mark mark, Sentence text) {
        return medium -> medium.verdict(mark, text);
    }

    static Block text(Sentence text) {
        return unless(text.english().isEmpty(), medium -> medium.text(text, false));
    }

    /** An explanation, shown less prominently than other text. */
    static Block aside(Sentence text) {
        return unless(text.english().isEmpty(), medium -> medium.text(text, true));
    }

    static Block remarks(List<Remark> remarks) {
        return unless(remarks.isEmpty(), medium -> medium.remarks(remarks));
    }

    static Block remarks(Mark mark, List<Sentence> texts) {
        return remarks(texts.stream().map(t -> new Remark(mark, t, List.of())).toList());
    }

    static Block rows(Table<?> table) {
        return unless(table.rows().isEmpty(), medium -> medium.rows(table));
    }

    /** A table below a heading; the heading can be empty. */
    static Block rows(Sentence heading, Table<?> table) {
        return unless(table.rows().isEmpty(), medium -> {
            if (!heading.english().isEmpty()) {
                medium.heading(heading);
            }
            medium.rows(table);
        });
    }

    /** Labeled facts, one per line. */
    static Block facts(List<Fact> facts) {
        return unless(facts.isEmpty(), medium -> medium.facts(facts));
    }

    static Block commands(List<Command> commands) {
        return unless(commands.isEmpty(), medium -> medium.commands(commands));
    }

    /** @param language language of the code; empty for a command line */
    static Block code(String language, String text) {
        return unless(text.isEmpty(), medium -> medium.code(language, text));
    }

    /** @param path path of the picture relative to the report */
    static Block picture(String path, String title) {
        return medium -> medium.picture(path, title);
    }

    private static Block unless(boolean empty, Block block) {
        return empty ? NONE : block;
    }
}
