package io.plimsoll.observe.broker;

/**
 * Credentials for a broker's JMX.
 *
 * @param inClear whether the password may travel without TLS
 */
public record JmxLogin(String user, String password, boolean inClear) {
    /** Without the password. */
    @Override
    public String toString() {
        return "JmxLogin[" + user + "]";
    }
}
