package io.plimsoll.fleet;

import io.plimsoll.text.Sentence;

/**
 * Something that the thread of a fleet's trial has to know.
 *
 * @param agent null to wake it only
 * @param lost how the agent was lost; null for a message
 */
record AgentEvent(RemoteAgent agent, String trial, FleetMessage message, Sentence lost) {}
