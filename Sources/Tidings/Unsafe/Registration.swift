// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One observation, with a handler, a place in the order, and the state of the observation.
///
/// Homes keep registrations, and tokens refer to registrations. The captures of a handler are
/// released when the observation ends, not when the token is deallocated. The class is not generic:
/// a registration receives an ``Incoming`` of the type under which the registration was filed, so
/// that a post calls handlers of any type through the same few instructions. The fields are packed,
/// because a program may have a million registrations.
///
/// Invariant: every stored property is constant or atomic. The compiler does not check that for a
/// class with subclasses. Each subclass states its own invariant.
class Registration: @unchecked Sendable {
    private let state: Atomic<UInt8>
    let flags: RegistrationFlags
    private let priority: Int16
    private let line: UInt32
    private let id: UInt64
    private let file: StaticText
    /// The home, and the settings that few observations have.
    final let context: RegistrationContext

    private static let lastID = Atomic<UInt64>(0)

    init(_ settings: borrowing RegistrationSettings, flags: RegistrationFlags) {
        self.flags = flags.union(settings.flags)
        let isCareful = settings.filter != nil || self.flags.contains(.once)
        state = Atomic(isCareful ? Self.careful : 0)
        priority = settings.priority.rank
        line = UInt32(clamping: settings.source.line)
        file = settings.source.file
        id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        context = settings.context
    }

    // MARK: Delivery

    /// Calls the handler unless the observation has ended.
    ///
    /// The thread must be reading the registration's home. A main-actor handler must only be called
    /// where ``MainActorCheck`` returns true.
    func call(_ input: Incoming) throws -> CallOutcome {
        preconditionFailure("A registration says how its observer is called.")
    }

    /// Calls the handler, or queues the message with the context.
    func call(_ input: Incoming, _ context: DeliveryContext) throws -> CallOutcome {
        try call(input)
    }

    /// The queue of pending messages, if there is a queue.
    var queue: (any ObservationQueue)? { context.mainBuffer }

    /// The calls of an asynchronous handler that are in progress.
    var runningCalls: [MailboxCall] { [] }

    /// Calls `action` once all accepted messages are handled, or immediately if none is left.
    ///
    /// The registration must have ended, and no poster's thread may call the registration any more.
    func whenDrained(_ action: @escaping @Sendable () -> Void) { action() }

    /// The name of the input.
    var inputName: MessageName { .text("") }

    /// The place where the messages go.
    var place: HandlerPlace { flags.contains(.main) ? .main : .poster }

    /// Releases the handler.
    ///
    /// No thread may be reading the handler.
    func releaseHandler() {}

    /// Releases the handler and the filter, which no thread may be reading.
    final func releaseClosures() {
        releaseHandler()
        context.releaseFilter()
    }

    /// Whether the owner or subject has expired, so that the handler can never be called again.
    ///
    /// The check may release the expired object, so the check never runs under a lock.
    var isExpired: Bool { hasExpiredSubject }

    /// Whether the one object that all messages must be about has expired.
    ///
    /// The condition is checked again before each call that has waited, and never under a lock.
    final var hasExpiredSubject: Bool {
        flags.contains(.subject) && context.subject?.isExpired ?? false
    }

    /// Returns whether `object` is the owner.
    ///
    /// The caller keeps the object alive. Never called under a lock.
    func isOwned(by object: AnyObject) -> Bool { false }

    // MARK: Life

    /// The number of this observation, unique in the process and never used again.
    var identifier: UInt64 { id }

    /// The location of the observe call.
    var source: SourceLocation { SourceLocation(file: file, line: UInt(line)) }

    var rank: Rank { Rank(priority: priority, id: id) }

    /// Whether calls go ahead without further checks.
    @inline(__always)
    final var isPlainlyActive: Bool { state.load(ordering: .sequentiallyConsistent) == 0 }

    var isActive: Bool { state.load(ordering: .sequentiallyConsistent) & Self.ended == 0 }

    /// The represented observations: only this one, unless several were combined.
    var parts: [Registration] { [self] }

    /// Whether messages skip this observation for now.
    var isBlocked: Bool {
        get { state.load(ordering: .acquiring) & Self.blocked != 0 }
        set {
            if newValue {
                state.bitwiseOr(Self.blocked, ordering: .acquiringAndReleasing)
            } else {
                state.bitwiseAnd(~Self.blocked, ordering: .acquiringAndReleasing)
            }
        }
    }

    /// Forbids every later call and returns whether this caller was the first to do so.
    func end() -> Bool {
        let old = state.bitwiseOr(Self.ended, ordering: .sequentiallyConsistent).oldValue
        guard old & Self.ended == 0 else { return false }
        context.mainBuffer?.discard()
        context.didEnd?()
        return true
    }

    /// Ends the observation and removes the registration from the home.
    func cancel() {
        if end() {
            currentHome?.remove(self)
        } else if state.load(ordering: .acquiring) & Self.removed == 0 {
            // Another thread is about to remove the registration. Once this call has returned, the
            // home no longer counts the registration.
            currentHome?.forget(self)
        }
    }

    /// Records that the home no longer keeps this registration.
    func noteRemoval() {
        state.bitwiseOr(Self.removed, ordering: .releasing)
    }

    /// The home that keeps this registration, while the home lives.
    var currentHome: RegistrationHome? { context.home }

    private static let ended: UInt8 = 1
    private static let blocked: UInt8 = 2
    /// A filter or the single call must be checked before each call.
    private static let careful: UInt8 = 4
    /// The home no longer keeps the registration.
    private static let removed: UInt8 = 8

    /// Decides on a call that needs a check.
    ///
    /// - Parameters:
    ///   - input: The value for the handler.
    ///   - isWanted: The result of the filter, if the filter was called already.
    /// - Returns: The outcome if there must not be a call, or nil to allow the call.
    final func admits(_ input: Incoming, isWanted: Bool? = nil) -> CallOutcome? {
        let state = state.load(ordering: .sequentiallyConsistent)
        if state & Self.ended != 0 { return .ended }
        if state & Self.blocked != 0 { return .skipped }
        if let filter = context.filter, !(isWanted ?? filter(input)) { return .skipped }
        if flags.contains(.once) {
            guard end() else { return .ended }
            if queue == nil {
                currentHome?.remove(self)
            } else {
                currentHome?.removeBeforeOnlyCall(self)
            }
            return nil
        }
        // The state is read again, because the filter is the user's code and takes time.
        return isActive ? nil : .ended
    }
}
