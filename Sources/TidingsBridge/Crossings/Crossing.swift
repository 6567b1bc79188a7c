// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// A type of message that a bridge carries.
///
/// ```swift
/// Crossing(OrderPlaced.self, .durable)
/// Crossing(CacheCleared.self, .transient, .outgoing)
/// Crossing(PriceChanged.self, .durable, .incoming(from: .beginning))
/// Crossing(ThumbnailWanted.self, .shared(group: "thumbnailers"))
/// ```
public struct Crossing: Sendable {
    /// How messages of the type are carried.
    public struct Kind: Hashable, Sendable {
        enum Value: Hashable, Sendable {
            case durable
            case transient
            case shared(group: String)
        }

        let value: Value

        /// Stored in the outbox and in the stream, and handled at least once by every process.
        public static let durable = Kind(value: .durable)
        /// Delivered to the processes that are connected now; lost otherwise, and counted.
        public static let transient = Kind(value: .transient)

        /// Work that one process of a group does: stored like a durable message, and handled by one
        /// of the processes with an incoming crossing.
        ///
        /// In a process whose crossing has both directions, a post does not reach the observers:
        /// they receive the message when the group gives it to this process, its own ones included.
        /// A process that only hands out work has the direction `.outgoing`. The message is
        /// acknowledged when its handlers have returned. If one throws, or the process ends, the
        /// group gives it to another process or to this one again, as ``RetryPlan`` says, and at
        /// last it is a dead letter of the process that tried. A new group begins with the oldest
        /// message that the stream has, so that no work is left out. There is no order.
        ///
        /// - Parameter group: The name of the group, of letters, digits, `-` and `_`.
        /// - Returns: The kind.
        public static func shared(group: String) -> Kind { Kind(value: .shared(group: group)) }

        /// Whether the outbox and the stream store the messages.
        var isStored: Bool { value != .transient }
    }

    /// The directions of a crossing.
    public struct Direction: Hashable, Sendable {
        let isOutgoing: Bool
        let start: StreamStart?

        /// Out of this process, and into it from now on.
        public static let both = both(from: .now)
        /// Out of this process only.
        public static let outgoing = Direction(isOutgoing: true, start: nil)
        /// Into this process only, from now on.
        ///
        /// A first start receives what is stored once ``BridgeStatus/isConnected`` is true, a later
        /// one also what was stored since the last.
        public static let incoming = incoming(from: .now)

        /// Out of this process, and into it.
        ///
        /// - Parameter start: The first message of a subscription without a stored position; it has
        ///   no effect for transient messages.
        /// - Returns: The directions.
        public static func both(from start: StreamStart) -> Direction {
            Direction(isOutgoing: true, start: start)
        }

        /// Into this process only.
        ///
        /// - Parameter start: The first message of a subscription without a stored position; it has
        ///   no effect for transient messages.
        /// - Returns: The direction.
        public static func incoming(from start: StreamStart) -> Direction {
            Direction(isOutgoing: false, start: start)
        }
    }

    /// What crosses.
    enum Content: Sendable {
        case messages(MessageCrossing)
        case answers(
            @Sendable (EngineParts, ObjectIdentifier) throws(BridgeError) -> Answerer
        )
        case state(
            @Sendable (
                Crossing, EngineParts, _ rowsWereAdded: @escaping @Sendable () -> Void,
                _ noteChange: @escaping @Sendable () -> Void
            ) -> any StateMirror
        )
    }

    let name: WireName
    let direction: Direction
    let content: Content

    /// The messages that leave this process; nil for other crossings.
    var outgoingMessages: MessageCrossing? {
        guard direction.isOutgoing, case .messages(let messages) = content else { return nil }
        return messages
    }

    /// Creates a crossing of a message type.
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - kind: How the messages are carried.
    ///   - direction: The directions.
    public init<M: BridgedMessage>(
        _ type: M.Type,
        _ kind: Kind,
        _ direction: Direction = .both
    ) {
        name = M.wireName
        self.direction = direction
        content = .messages(MessageCrossing(type, kind, direction))
    }

    /// Creates a crossing that answers the requests of other processes with the responders of this
    /// one, which `center.respond(to:)` adds.
    ///
    /// If several processes answer a type, the server gives each request to one of them. Use it
    /// only in processes that have a responder. A process asks with ``Bridge/request(_:timeout:)``,
    /// for which it needs no crossing; it never answers itself.
    ///
    /// - Parameter type: The type of request.
    public init<R: BridgedRequest>(answering type: R.Type) {
        name = R.wireName
        direction = .incoming
        content = .answers { (parts, bridge) throws(BridgeError) in
            try Answerer(type, parts, by: bridge)
        }
    }

    /// Creates a crossing that keeps the data of a publisher equal in all processes of the space.
    ///
    /// A process that starts receives the newest value and then every later one; while the server
    /// is away, the values wait in the outbox. The value that the server stored last wins in every
    /// process: of two changes at the same time, the later one in the stream. The newest value
    /// replaces the data that a publisher has before the start; if there is none, that data is
    /// sent. With the direction `.outgoing` it is sent in any case. Only data crosses: no load, no
    /// error and no reset. If a stream was recreated or has lost the newest value, a process that
    /// has the value sends it again.
    ///
    /// ```swift
    /// Crossing(state: catalogue, key: "catalogue")
    /// ```
    ///
    /// - Parameters:
    ///   - publisher: The state, which the bridge keeps alive.
    ///   - key: The name of the state between processes.
    ///   - direction: The directions; the place from which it reads has no effect.
    public init<Value: Codable & Equatable & Sendable>(
        state publisher: StatePublisher<Value>,
        key: WireName,
        _ direction: Direction = .both
    ) {
        name = WireName(ofState: key)
        self.direction = direction
        content = .state {
            MirroredState(publisher, $0, $1, rowsWereAdded: $2, noteChange: $3)
        }
    }
}

/// A type of message that crosses, without the type.
struct MessageCrossing: Sendable {
    let name: WireName
    let kind: Crossing.Kind
    let direction: Crossing.Direction
    let makeInlet:
        @Sendable (BridgeCodec, MessageCenter, ObjectIdentifier) throws(BridgeError) -> Inlet
    let observe: @Sendable (MessageCenter, ObjectIdentifier, Outlet) -> ObservationToken

    init<M: BridgedMessage>(
        _ type: M.Type,
        _ kind: Crossing.Kind,
        _ direction: Crossing.Direction
    ) {
        name = M.wireName
        self.kind = kind
        self.direction = direction
        makeInlet = { (codec, center, bridge) throws(BridgeError) in
            Inlet(try WireType<M>(codec), center, by: bridge)
        }
        let isWorker = kind.isShared && direction.start != nil
        observe = { center, bridge, outlet in
            let messages = center.messages(of: M.self).priority(.last)
            let takeOut = { @Sendable (message: M) throws(BridgeError) in
                let (leader, isAlone) = outlet.leader
                // Observers of all bridges receive a post, but only one of their interceptors.
                guard isWorker || leader === outlet else { return }
                try leader.post(OutgoingMessage(message, leader.codec), isAlone: isAlone)
            }
            let posted = messages.about(matching: { !($0 is Arrival) })
            let own =
                isWorker
                ? WorkHandout.take(posted, of: center, takeOut)
                : posted.observe { try takeOut($0) }
            let foreign = messages.about(matching: { subject in
                (subject as? Arrival).map { $0.bridge != bridge } ?? false
            }).observe { message in
                guard let arrival = Arrival.current else { return }
                try outlet.forward(OutgoingMessage(message, outlet.codec), arrival.envelope)
            }
            return ObservationToken(combining: [own, foreign])
        }
    }
}

extension Crossing.Kind {
    fileprivate var isShared: Bool { group != nil }

    /// The group of shared work.
    var group: String? {
        if case .shared(let group) = value { group } else { nil }
    }
}

/// Takes posts of shared work out of a process that is a member of the group.
private struct WorkHandout: Message {
    let error: BridgeError

    /// Stops each post before the observers, and hands its failure to the hooks of the center.
    static func take<M: Message>(
        _ posts: Selection<M>,
        of center: MessageCenter,
        _ takeOut: @escaping @Sendable (M) throws(BridgeError) -> Void
    ) -> ObservationToken {
        let key = WorkKey()
        let failures = center.messages(of: WorkHandout.self).about(key).observe { throw $0.error }
        let work = posts.intercept { [weak center] message in
            do throws(BridgeError) {
                try takeOut(message)
                return .stop
            } catch {
                center?.post(WorkHandout(error: error), about: key)
                return .drop
            }
        }
        return ObservationToken(combining: [failures, work])
    }
}

/// Tells the crossings of one center apart.
private final class WorkKey: Sendable {}

extension ObservationPriority {
    /// After every handler of the user, so that `post` returns after both.
    fileprivate static let last = ObservationPriority(.min)
}

/// Collects the crossings of a bridge.
@resultBuilder
public enum CrossingBuilder: Sendable {
    /// Collects crossings.
    public static func buildBlock(_ crossings: [Crossing]...) -> [Crossing] {
        crossings.flatMap { $0 }
    }

    /// Adds one crossing.
    public static func buildExpression(_ crossing: Crossing) -> [Crossing] { [crossing] }

    /// Adds a crossing under a condition.
    public static func buildOptional(_ crossings: [Crossing]?) -> [Crossing] { crossings ?? [] }

    /// Adds the crossings of a loop.
    public static func buildArray(_ crossings: [[Crossing]]) -> [Crossing] {
        crossings.flatMap { $0 }
    }
}
