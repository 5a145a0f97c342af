package io.plimsoll.cli;

import io.plimsoll.Secrets;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/** What is printed goes through here, so that no secret is. As thread-safe as the writer behind it. */
final class CleanWriter extends FilterWriter {
    CleanWriter(Writer out) {
        super(out);
    }

    @Override
    public void write(String text, int from, int length) throws IOException {
        out.write(Secrets.clean(text.substring(from, from + length)));
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
        out.write(Secrets.clean(new String(text, from, length)));
    }
}
