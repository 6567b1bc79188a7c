// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// Finds a place in each of several queues, and waits for a place in a full queue.
///
/// The search holds no place while waiting for another place: if a reader had stopped, other posts
/// could not use the held place. After one pass without a wait, the search holds a place in each
/// queue.
struct PlaceSearch {
    private var queues: [UInt64: any ObservationQueue] = [:]
    /// The queues in the order of their observations, which is the order of every search.
    private var order: [UInt64] = []
    private(set) var answers: [UInt64: Bool] = [:]
    private var held: [UInt64: any ObservationQueue] = [:]

    private static let lastPoster = Atomic<UInt64>(0)

    /// Adds the queue of a recipient, if the queue can be full and the message should go there.
    ///
    /// - Parameters:
    ///   - registration: The recipient.
    ///   - input: The value that the recipient would receive, for the filter, or nil to skip the
    ///     filter.
    mutating func add(_ registration: Registration, _ input: Incoming?) {
        guard let queue = registration.queue, queue.isBounded else { return }
        guard registration.isActive, !registration.isBlocked, !registration.isExpired else {
            return
        }
        // The filter is called once, here, because a rejected message does not wait.
        if let input, let filter = registration.context.filter {
            let isWanted = filter(input)
            answers[registration.identifier] = isWanted
            guard isWanted else { return }
        }
        queues[registration.identifier] = queue
        order.append(registration.identifier)
    }

    /// Whether no recipient has a bounded queue.
    var isNeedless: Bool { queues.isEmpty && answers.isEmpty }

    /// Waits until there is a place in every queue, and returns all queues.
    ///
    /// Returns nil when the task is cancelled while a queue is full, and holds no place then.
    mutating func findAll() async -> [UInt64: any ObservationQueue]? {
        while true {
            guard let id = takePlaces(), let queue = queues[id] else { return held }
            giveBackAll()
            if Task.isCancelled { return nil }
            switch await Self.place(in: queue) {
            case .place: held[id] = queue
            // The observation ended, or the wait for this queue would never end.
            case .needless: queues[id] = nil
            case .later, nil: break
            }
        }
    }

    /// Takes the free places and returns the first queue without a free place.
    private mutating func takePlaces() -> UInt64? {
        for id in order where held[id] == nil {
            guard let queue = queues[id] else { continue }
            switch queue.promise(to: nil) {
            case .place: held[id] = queue
            case .needless: queues[id] = nil
            case .later: return id
            }
        }
        return nil
    }

    private mutating func giveBackAll() {
        for queue in held.values { queue.giveBack() }
        held = [:]
    }

    /// Waits for a place in one queue, or returns nil when the task is cancelled.
    private static func place(in queue: any ObservationQueue) async -> BufferState.Promise? {
        let caller = MailboxCall.running
        let goal = queue.mailboxNumber.map { WaitGraph.Goal.mailbox($0) }
        if let goal, !WaitGraph.begin(caller, waitsFor: goal) { return .needless }
        defer { if let goal { WaitGraph.end(caller, waitsFor: goal) } }
        let id = lastPoster.wrappingAdd(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let poster = WaitingPoster(id: id) { continuation.resume(returning: $0) }
                let promise = queue.promise(to: poster)
                if promise != .later { return poster.proceed(promise) }
                // The task was cancelled before the queue listed the poster.
                if Task.isCancelled { queue.giveUp(id) }
            }
        } onCancel: {
            queue.giveUp(id)
        }
    }
}

/// Places in the queues of a message's recipients, reserved for the message.
///
/// The deinitializer gives back the places that the message did not need.
final class PromisedPlaces: Sendable {
    private let queues: Lock<[UInt64: any ObservationQueue]>
    /// The results of the filters that were called before the message waited.
    private let answers: [UInt64: Bool]

    init(_ queues: [UInt64: any ObservationQueue], answers: [UInt64: Bool]) {
        self.queues = Lock(queues)
        self.answers = answers
    }

    deinit {
        for queue in queues.withLock({ $0 }).values { queue.giveBack() }
    }

    /// Takes the promised place in the queue of an observation, if a place was promised.
    func take(_ registration: Registration) -> Bool {
        queues.withLock { $0.removeValue(forKey: registration.identifier) } != nil
    }

    /// Returns the result of an observation's filter, if the filter was called.
    func isWanted(by registration: Registration) -> Bool? {
        answers[registration.identifier]
    }
}
