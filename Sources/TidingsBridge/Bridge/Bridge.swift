// SPDX-License-Identifier: Apache-2.0
public import Tidings
import TidingsLock

/// Carries messages of a center to other processes of a space, and their messages to the center.
///
/// The center delivers a message of a crossing to the local observers as always, and the bridge
/// carries the message on. The bridge posts received messages on the center, and
/// ``BridgeEnvelope/current`` describes where a message comes from. The bridge connects and
/// reconnects by itself.
///
/// ```swift
/// let bridge = Bridge(center: center, space: "shop", transport: transport, storage: folder) {
///     Crossing(OrderPlaced.self, .durable)
///     Crossing(CacheCleared.self, .transient, .outgoing)
/// }
/// try await bridge.start()
/// center.post(OrderPlaced(id: 7, region: "eu"))
/// try await bridge.close(within: .seconds(5))
/// ```
public final class Bridge: Sendable {
    private enum Phase {
        case created
        case starting
        case started(BridgeEngine, Task<Void, Never>, ObservationToken)
        case closed
    }

    /// The state of the bridge, which changes with each connection and each message.
    public let status = StatePublisher<BridgeStatus>()
    private let center: MessageCenter
    private let space: String
    private let transport: any BridgeTransport
    private let folder: String
    private let options: BridgeOptions
    private let crossings: [Crossing]
    private let time: Timeline
    private let phase = Lock(Phase.created)

    /// Creates a bridge that is not started.
    ///
    /// - Parameters:
    ///   - center: The center of the local observers and posts.
    ///   - space: The name that all processes share, of letters, digits, `-` and `_`.
    ///   - transport: The way to the server.
    ///   - storage: The path of the folder for the outbox and the positions. The bridge creates a
    ///     missing folder. Each bridge needs a separate folder.
    ///   - options: The settings.
    ///   - clock: The clock that measures pauses and deadlines.
    ///   - crossings: The types to carry.
    public init(
        center: MessageCenter,
        space: String,
        transport: some BridgeTransport,
        storage: String,
        options: BridgeOptions = BridgeOptions(),
        clock: some Clock<Duration> = ContinuousClock(),
        @CrossingBuilder crossings: () -> [Crossing]
    ) {
        self.center = center
        self.space = space
        self.transport = transport
        folder = storage
        self.options = options
        self.crossings = crossings()
        time = Timeline(clock)
    }

    deinit {
        if case .started(let engine, let task, let token) = phase.withLock({ $0 }) {
            // The outlets leave first, so that another bridge of the center takes the posts.
            Siblings.remove(engine.outlets, on: ObjectIdentifier(center))
            token.cancel()
            task.cancel()
            // The tasks still use the storage until the handlers in progress have ended.
            let center = ObjectIdentifier(center)
            Task {
                await task.value
                Siblings.releaseWork(by: engine.parts.storage.origin, on: center)
                engine.parts.storage.close()
            }
        }
    }

    /// Opens the storage and starts to carry messages.
    ///
    /// The start succeeds while the server is down, and messages then wait in the outbox. With the
    /// requirement `.neverLose`, the start waits for the first attempt to connect.
    ///
    /// - Throws: `inUse`, `storage`, `missingUpcast`, `invalidCrossing`, `tooWeak`, or `closed` if
    ///   the bridge was started before.
    public func start() async throws(BridgeError) {
        let isFirst = phase.withLock { phase in
            guard case .created = phase else { return false }
            phase = .starting
            return true
        }
        guard isFirst else {
            throw BridgeError(.closed, "The bridge was started before. Create another one.")
        }
        do throws(BridgeError) {
            try launch()
        } catch {
            phase.withLock { $0 = .created }
            throw error
        }
        guard options.requirement == .neverLose, let engine else { return }
        let outcome = await engine.firstAttempt.outcome {
            engine.firstAttempt.settle(.success(()))
        }
        if case .failure(let error) = outcome {
            _ = try? await close(within: .zero)
            throw error as? BridgeError ?? BridgeError(.tooWeak, "\(error)", cause: error)
        }
    }

    private func launch() throws(BridgeError) {
        let space = try Space(space)
        try checkNames()
        let storage = try BridgeStorage(
            folder: folder,
            durability: options.durability,
            limits: options.limits
        )
        let parts = EngineParts(
            center: center,
            space: space,
            storage: storage,
            options: options,
            time: time,
            transient: TransientQueue(limit: options.transientLimit)
        )
        let identity = ObjectIdentifier(self)
        let engine: BridgeEngine
        do throws(BridgeError) {
            engine = try BridgeEngine(parts, transport, crossings, identity, status)
        } catch {
            storage.close()
            throw error
        }
        Siblings.add(engine.outlets, on: ObjectIdentifier(center))
        let outgoing = crossings.compactMap(\.outgoingMessages)
        let tokens =
            zip(outgoing, engine.outlets).map { $0.observe(center, identity, $1) }
            + engine.observeStates()
        let task = Task.detached { await engine.run() }
        phase.withLock { $0 = .started(engine, task, ObservationToken(combining: tokens)) }
    }

    private func checkNames() throws(BridgeError) {
        var names: Set<WireName> = []
        for crossing in crossings where !names.insert(crossing.name).inserted {
            throw BridgeError(
                .invalidCrossing,
                "Two crossings carry \(crossing.name). Give each type one crossing and one name."
            )
        }
    }

    /// The origin of the messages of this bridge, or nil if the bridge is not running.
    ///
    /// Each storage has one origin, which other processes receive as ``BridgeEnvelope/origin``. To
    /// recognize a message that names its sender, compare the name with this origin.
    public var origin: String? { engine?.parts.storage.origin }

    var engine: BridgeEngine? {
        phase.withLock { phase in
            if case .started(let engine, _, _) = phase { engine } else { nil }
        }
    }

    private func runningEngine() throws(BridgeError) -> BridgeEngine {
        guard let engine else {
            throw BridgeError(.closed, "The bridge is not running. Start it first.")
        }
        return engine
    }

    /// Stores a durable message and delivers it to the local observers.
    ///
    /// Shared work of a crossing with both directions goes to the group alone.
    ///
    /// - Parameter message: The message, of a type with a durable or shared outgoing crossing.
    /// - Returns: The receipt, which also waits for the server.
    /// - Throws: `full`, `storage`, `codec`, `closed`, or `invalidCrossing` for a type without such
    ///   a crossing. The local observers then do not receive the message. For shared work, another
    ///   bridge of the center that carries the message may also throw. This bridge has the message
    ///   in that case.
    @discardableResult
    public func publish<M: BridgedMessage>(_ message: M) async throws(BridgeError) -> Receipt {
        let engine = try runningEngine()
        let found = engine.outlets.first { $0.name == M.wireName && $0.kind.isStored }
        guard let outlet = found else {
            throw BridgeError(
                .invalidCrossing,
                "\(M.wireName) has no durable outgoing crossing. Add one to the bridge."
            )
        }
        let answer = Answer<Receipt.Acceptance>()
        let outgoing = AnyBridgedMessage(message, options.codec)
        let id = try await outlet.publish(outgoing, answer: answer)
        let frame = BridgeFrame(
            subject: "",
            headers: outgoing.headers(
                origin: engine.parts.storage.origin,
                id: id,
                hops: 1,
                trace: BridgeEnvelope.current?.traceContext
            )
        )
        let envelope = try BridgeEnvelope(frame, fallbackID: id, stored: nil)
        if outlet.isWork {
            // The group gives the work to one process. No observer receives the message now, so the
            // outlet itself hands the message to every other bridge of the center.
            try outlet.share(outgoing, id: id)
            return Receipt(id: id, answer: answer)
        }
        let arrival = Arrival(ObjectIdentifier(self), envelope)
        _ = Arrival.$current.withValue(arrival) { center.post(message, about: arrival) }
        return Receipt(id: id, answer: answer)
    }

    /// Asks another process, which answers with an ordinary responder.
    ///
    /// The request is neither stored nor repeated. After an error of the connection or the time
    /// limit, the request may have been answered or not.
    ///
    /// ```swift
    /// let lesson = try await bridge.request(FindLesson(id: 3), timeout: .seconds(2))
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request. The answering process has a `Crossing(answering:)` of its type.
    ///   - timeout: The longest wait for the reply, after which the responder is cancelled.
    /// - Returns: The reply.
    /// - Throws: `noResponder` immediately if no process answers, `timedOut`, `remote` with the
    ///   text of the responder's error, `notConnected`, `tooLarge`, `codec` for a reply that cannot
    ///   be decoded, and `closed` if the bridge is not running or the task was cancelled.
    public func request<R: BridgedRequest>(
        _ request: R,
        timeout: Duration
    ) async throws(BridgeError) -> R.Response {
        let requester = try runningEngine().requester
        let body = try await requester.ask(
            AnyBridgedMessage(request, options.codec),
            timeout: timeout
        )
        do {
            return try options.codec.decode(R.Response.self, body)
        } catch {
            throw BridgeError(
                .codec,
                "The reply to \(R.wireName) cannot be decoded: \(error).",
                cause: error
            )
        }
    }

    /// Returns the dead letters, the oldest first.
    ///
    /// - Throws: `closed` or `storage`.
    public func deadLetters() throws(BridgeError) -> [DeadLetter] {
        try runningEngine().parts.storage.deadLetters()
    }

    /// Sends an outgoing dead letter again, or hands an incoming one to the handlers again.
    ///
    /// - Parameter number: The number of the dead letter.
    /// - Throws: `notFound`, `closed` or `storage`.
    public func resend(_ number: Int) throws(BridgeError) {
        let engine = try runningEngine()
        try engine.parts.storage.revive(number)
        engine.deadLetterWasRevived()
    }

    /// Removes a dead letter for good.
    ///
    /// - Parameter number: The number of the dead letter.
    /// - Throws: `notFound`, `closed` or `storage`.
    public func discard(_ number: Int) throws(BridgeError) {
        let engine = try runningEngine()
        try engine.parts.storage.discard(number)
        engine.noteChange()
    }

    /// Stops taking messages, sends the outbox until the limit, and ends.
    ///
    /// Messages that are left stay in the outbox for the next start. The bridge waits for handlers
    /// in progress until the limit. A message whose handler takes longer is handled again.
    ///
    /// - Parameter limit: The longest time to wait for acknowledgements.
    /// - Returns: The number of messages that are left in the outbox.
    /// - Throws: `closed` if the bridge is not running.
    @discardableResult
    public func close(within limit: Duration) async throws(BridgeError) -> Int {
        let found: (BridgeEngine, Task<Void, Never>, ObservationToken)? = phase.withLock { phase in
            guard case .started(let engine, let task, let token) = phase else { return nil }
            phase = .closed
            return (engine, task, token)
        }
        guard let (engine, task, token) = found else {
            throw BridgeError(.closed, "The bridge is not running.")
        }
        // The outlets leave first, so that another bridge of the center takes the posts.
        Siblings.remove(engine.outlets, on: ObjectIdentifier(center))
        token.cancel()
        let end = time.now + limit
        await engine.drain(until: end)
        engine.prepareToEnd()
        task.cancel()
        await wait(for: task, until: end)
        let storage = engine.parts.storage
        Siblings.releaseWork(by: storage.origin, on: ObjectIdentifier(center))
        let left = storage.figures.withLock { $0.rows }
        engine.reportEnd()
        storage.close()
        return left
    }

    private func wait(for task: Task<Void, Never>, until end: Duration) async {
        let done = WakeSignal()
        Task {
            await task.value
            done.raise()
        }
        let limit = max(end - time.now, .milliseconds(100))
        await done.wait(until: limit) { [time] in await time.sleep(for: $0) }
    }
}
