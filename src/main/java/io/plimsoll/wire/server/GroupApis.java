package io.plimsoll.wire.server;

import java.util.List;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.JoinGroupResponseData.JoinGroupResponseMember;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupResponseData.MemberResponse;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;

/** Handlers for classic consumer groups. A joining member becomes the leader, as the only member. */
final class GroupApis {
    private final ServedGroups groups;

    private GroupApis(ServedGroups groups) {
        this.groups = groups;
    }

    static void register(ServerApis apis, Served served) {
        GroupApis answers = new GroupApis(served.groups);
        apis.add(ApiMessageType.JOIN_GROUP, JoinGroupRequestData.class, answers::join);
        apis.add(ApiMessageType.SYNC_GROUP, SyncGroupRequestData.class, answers::sync);
        apis.add(ApiMessageType.HEARTBEAT, HeartbeatRequestData.class, answers::heartbeat);
        apis.add(ApiMessageType.LEAVE_GROUP, LeaveGroupRequestData.class, answers::leave);
    }

    private JoinGroupResponseData join(JoinGroupRequestData request) {
        var protocols = List.copyOf(request.protocols());
        if (protocols.isEmpty() || request.groupId().isEmpty()) {
            return refused(protocols.isEmpty() ? Errors.INCONSISTENT_GROUP_PROTOCOL : Errors.INVALID_GROUP_ID);
        }
        var joined = groups.join(request.groupId(), request.memberId(), request.sessionTimeoutMs());
        if (joined == null) {
            return refused(Errors.GROUP_MAX_SIZE_REACHED);
        }
        var protocol = protocols.get(0);
        return new JoinGroupResponseData()
                .setGenerationId(joined.generation())
                .setProtocolType(request.protocolType())
                .setProtocolName(protocol.name())
                .setLeader(joined.id())
                .setMemberId(joined.id())
                .setMembers(List.of(new JoinGroupResponseMember()
                        .setMemberId(joined.id())
                        .setGroupInstanceId(request.groupInstanceId())
                        .setMetadata(protocol.metadata())));
    }

    private static JoinGroupResponseData refused(Errors error) {
        return new JoinGroupResponseData().setErrorCode(error.code()).setProtocolName("");
    }

    private SyncGroupResponseData sync(SyncGroupRequestData request) {
        Errors error = groups.heard(request.groupId(), request.memberId(), request.generationId());
        SyncGroupResponseData response = new SyncGroupResponseData()
                .setErrorCode(error.code())
                .setProtocolType(request.protocolType())
                .setProtocolName(request.protocolName());
        for (var assignment : request.assignments()) {
            if (error == Errors.NONE && assignment.memberId().equals(request.memberId())) {
                response.setAssignment(assignment.assignment());
            }
        }
        return response;
    }

    private HeartbeatResponseData heartbeat(HeartbeatRequestData request) {
        Errors error = groups.heard(request.groupId(), request.memberId(), request.generationId());
        return new HeartbeatResponseData().setErrorCode(error.code());
    }

    private LeaveGroupResponseData leave(LeaveGroupRequestData request) {
        LeaveGroupResponseData response = new LeaveGroupResponseData();
        if (request.members().isEmpty()) {
            return response.setErrorCode(
                    groups.leave(request.groupId(), request.memberId()).code());
        }
        for (var member : request.members()) {
            response.members()
                    .add(new MemberResponse()
                            .setMemberId(member.memberId())
                            .setGroupInstanceId(member.groupInstanceId())
                            .setErrorCode(groups.leave(request.groupId(), member.memberId())
                                    .code()));
        }
        return response;
    }
}
