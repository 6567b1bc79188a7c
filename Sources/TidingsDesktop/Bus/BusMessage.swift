// SPDX-License-Identifier: Apache-2.0

/// A call of a method, to be sent.
struct BusCall: Hashable, Sendable {
    var destination: String
    var path: String
    var interface: String
    var member: String
    var body: [BusValue] = []

    /// Who alone can answer, besides the bus; nil for a name that changes hands.
    var onlyAnswerer: String? {
        destination.hasPrefix(":") || destination == DesktopNames.bus ? destination : nil
    }
}

/// A message that has come.
struct BusMessage: Hashable, Sendable {
    /// The unique name of who has sent it, which the bus itself has written.
    var sender: String?
    var path: String?
    var interface: String?
    var member: String?
    /// The types of all values.
    var signature = ""
    var body: [BusValue]
}

/// A signal, to be sent to everybody.
struct BusSignal: Hashable, Sendable {
    var path: String
    var interface: String
    var member: String
    var body: [BusValue] = []
}

/// Why a call has no result.
enum BusError: Error, Hashable {
    /// Nobody answered within the limit.
    case timedOut
    /// There is no connection, or it ended before the answer.
    case disconnected(String)
    /// The other side, or the bus for it, has refused.
    case refused(name: String, message: String)
    /// What was to be sent is not a message.
    case invalid(String)

    /// What is wrong, for a person.
    var text: String {
        switch self {
        case .timedOut: "There was no answer in time."
        case .disconnected(let reason): reason
        case .refused(let name, let message): message.isEmpty ? name : message
        case .invalid(let reason): reason
        }
    }
}
