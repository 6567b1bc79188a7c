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

        /// Messages that are stored in the outbox and the stream, and handled at least once by
        /// every process.
        public static let durable = Kind(value: .durable)
        /// Messages for the processes that are connected now, which are otherwise lost and counted.
        public static let transient = Kind(value: .transient)

        /// Work that one process of a group does.
        ///
        /// The work is stored like a durable message, and handled by one process with an incoming
        /// crossing. In a process whose crossing has both directions, a post does not reach the
        /// observers. The observers receive a message, even an own message of this process, when
        /// the group gives the message to this process. A process that only hands out work has the
        /// direction `.outgoing`. The message is acknowledged when its handlers have returned. If a
        /// handler throws, or the process ends, the group gives the message to another process or
        /// again to this process, as ``RetryPlan`` says. At last the message is a dead letter of
        /// the process that tried. A new group starts with the oldest message that the stream has,
        /// so that no work is left out. Shared work has no order.
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

        /// Out of this process, and into this process from now on.
        public static let both = both(from: .now)
        /// Out of this process only.
        public static let outgoing = Direction(isOutgoing: true, start: nil)
        /// Into this process only, from now on.
        ///
        /// A first start receives the messages stored once ``BridgeStatus/isConnected`` is true. A
        /// later start also receives the messages stored since the last run.
        public static let incoming = incoming(from: .now)

        /// Returns the directions out of this process and into this process.
        ///
        /// - Parameter start: The first message of a subscription without a stored position.
        ///   Transient messages ignore this parameter.
        /// - Returns: The directions.
        public static func both(from start: StreamStart) -> Direction {
            Direction(isOutgoing: true, start: start)
        }

        /// Returns the direction into this process only.
        ///
        /// - Parameter start: The first message of a subscription without a stored position.
        ///   Transient messages ignore this parameter.
        /// - Returns: The direction.
        public static func incoming(from start: StreamStart) -> Direction {
            Direction(isOutgoing: false, start: start)
        }
    }

    /// The content of a crossing.
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

    /// The messages that leave this process, or nil for other crossings.
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

    /// Creates a crossing that answers requests of other processes with responders of this process.
    ///
    /// `center.respond(to:)` adds the responders. If several processes answer a type, the server
    /// gives each request to one of them. Use this crossing only in processes that have a
    /// responder. A process asks with ``Bridge/request(_:timeout:)``, which needs no crossing, and
    /// never answers its own requests.
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
    /// A process that starts receives the newest value and then every later value. While the server
    /// is away, the values wait in the outbox. The value that the server stored last wins in every
    /// process. Of two changes at the same time, this is the later change in the stream. The newest
    /// value replaces the data that a publisher has before the start. Without a newest value, the
    /// bridge sends the data of the publisher. With the direction `.outgoing`, the bridge sends the
    /// data in any case. Only data crosses: no load, no error and no reset. If a stream was
    /// recreated or has lost the newest value, a process with this value sends the value again,
    /// unless a change was stored in between.
    ///
    /// ```swift
    /// Crossing(state: catalogue, key: "catalogue")
    /// ```
    ///
    /// - Parameters:
    ///   - publisher: The state, which the bridge keeps alive.
    ///   - key: The name of the state between processes.
    ///   - direction: The directions. The place from which a direction reads has no effect.
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
                // Observers of all bridges receive a post, but only one interceptor does.
                guard isWorker || leader === outlet else { return }
                try leader.post(AnyBridgedMessage(message, leader.codec), isAlone: isAlone)
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
                try outlet.forward(AnyBridgedMessage(message, outlet.codec), arrival.envelope)
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

    /// Stops each post before the observers, and hands a failure to the hooks of the center.
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

/// A key that distinguishes the crossings of one center.
private final class WorkKey: Sendable {}

extension ObservationPriority {
    /// The priority after every handler of the user, so that `post` returns after both.
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
