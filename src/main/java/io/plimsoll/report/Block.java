package io.plimsoll.report;

import io.plimsoll.text.Sentence;
import java.util.List;

/** A part of a section of a {@link Document}. */
sealed interface Block {
    /** Shows blocks, each in its way: on a terminal, as Markdown. */
    interface Medium {
        void verdict(Verdict verdict);

        void heading(Heading heading);

        void text(Paragraph text);

        void remarks(Remarks remarks);

        void rows(Rows rows);

        void facts(Facts facts);

        void commands(Commands commands);

        void code(Code code);

        void picture(Picture picture);
    }

    void show(Medium medium);

    default boolean isEmpty() {
        return false;
    }

    /** The result in one sentence. */
    record Verdict(Mark mark, Sentence text) implements Block {
        @Override
        public void show(Medium medium) {
            medium.verdict(this);
        }
    }

    /** The heading of the next block of a section. */
    record Heading(Sentence text) implements Block {
        @Override
        public void show(Medium medium) {
            medium.heading(this);
        }

        @Override
        public boolean isEmpty() {
            return true;
        }
    }

    /** @param aside it explains, and says nothing of its own */
    record Paragraph(Sentence text, boolean aside) implements Block {
        @Override
        public void show(Medium medium) {
            medium.text(this);
        }

        @Override
        public boolean isEmpty() {
            return text.english().isEmpty();
        }
    }

    /** @param below the evidence */
    record Remark(Mark mark, Sentence text, List<Sentence> below) {
        static Remark of(Mark mark, Sentence text) {
            return new Remark(mark, text, List.of());
        }
    }

    record Remarks(List<Remark> all) implements Block {
        static Remarks of(Mark mark, List<Sentence> texts) {
            return new Remarks(texts.stream().map(t -> Remark.of(mark, t)).toList());
        }

        @Override
        public void show(Medium medium) {
            medium.remarks(this);
        }

        @Override
        public boolean isEmpty() {
            return all.isEmpty();
        }
    }

    record Rows(Table<?> table) implements Block {
        @Override
        public void show(Medium medium) {
            medium.rows(this);
        }

        @Override
        public boolean isEmpty() {
            return table.rows().isEmpty();
        }
    }

    record Fact(Sentence label, Sentence text) {}

    /** Facts below each other, each behind its label. */
    record Facts(List<Fact> all) implements Block {
        @Override
        public void show(Medium medium) {
            medium.facts(this);
        }

        @Override
        public boolean isEmpty() {
            return all.isEmpty();
        }
    }

    /** @param command ready to paste into a shell, except for placeholders in capital letters */
    record Command(String command, Sentence why) {}

    /** What to type next. */
    record Commands(List<Command> all) implements Block {
        @Override
        public void show(Medium medium) {
            medium.commands(this);
        }

        @Override
        public boolean isEmpty() {
            return all.isEmpty();
        }
    }

    /** @param language that it is written in; empty for a command line */
    record Code(String language, String text) implements Block {
        @Override
        public void show(Medium medium) {
            medium.code(this);
        }

        @Override
        public boolean isEmpty() {
            return text.isEmpty();
        }
    }

    /** @param place as seen from the report */
    record Picture(String place, String title) implements Block {
        @Override
        public void show(Medium medium) {
            medium.picture(this);
        }
    }
}
