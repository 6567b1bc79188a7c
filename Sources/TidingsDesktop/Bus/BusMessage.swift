// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// A method call to send.
struct BusCall: Hashable, Sendable {
    var destination: String
    var path: String
    var interface: String
    var member: String
    var body: [BusValue] = []

    /// The only client that may reply besides the bus, or nil for a well-known name, whose owner
    /// can change.
    var expectedSender: String? {
        destination.hasPrefix(":") || destination == DesktopNames.bus ? destination : nil
    }
}

/// A received message.
struct BusMessage: Hashable, Sendable {
    /// The unique name of the sender, as filled in by the bus.
    var sender: String?
    var path: String?
    var interface: String?
    var member: String?
    /// The D-Bus signature of the body.
    var signature = ""
    var body: [BusValue]
}

/// A signal to broadcast.
struct BusSignal: Hashable, Sendable {
    var path: String
    var interface: String
    var member: String
    var body: [BusValue] = []
}

/// A reason why a call has no result.
enum BusError: Error, Hashable {
    /// No reply arrived within the limit.
    case timedOut
    /// The connection does not exist, or has ended before the reply.
    case disconnected(String)
    /// The callee returned an error, or the bus did so for the callee.
    case refused(name: String, message: String)
    /// A message that could not be sent or read.
    case invalid(String)

    /// The error message for a user.
    var text: String {
        switch self {
        case .timedOut: "No reply arrived in time."
        case .disconnected(let reason): reason
        case .refused(let name, let message): message.isEmpty ? name : message
        case .invalid(let reason): reason
        }
    }
}
#endif
