// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One observation: its handler, its place in the order, and whether it is still active.
///
/// Homes keep registrations, and tokens refer to them. The captures of a handler are released when
/// the observation ends, not when its token is deallocated. The class is not generic: it receives
/// an ``Incoming`` of the type under which it was filed, so that a post calls handlers of any type
/// through the same few instructions. Its fields are packed: a program may have a million.
///
/// Invariant: every stored property is constant or atomic. The compiler checks that for no class
/// with subclasses; each subclass states its own invariant.
class Registration: @unchecked Sendable {
    private let state: Atomic<UInt8>
    let flags: RegistrationFlags
    private let priority: Int16
    private let line: UInt32
    private let id: UInt64
    private let file: StaticText
    /// Its home, and the settings that few observations have.
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

    /// Calls the handler, or queues the message with its context.
    func call(_ input: Incoming, _ context: DeliveryContext) throws -> CallOutcome {
        try call(input)
    }

    /// The queue of its messages, if it has one.
    var queue: (any ObservationQueue)? { context.mainBuffer }

    /// The calls of its asynchronous handler that are in progress.
    var runningCalls: [MailboxCall] { [] }

    /// Calls `action` once it has handled everything that it accepted, or at once if it already
    /// has.
    ///
    /// Only for a registration that has ended and that no poster's thread calls any more.
    func whenDrained(_ action: @escaping @Sendable () -> Void) { action() }

    /// The name of its input.
    var inputName: MessageName { .text("") }

    /// The place where its messages go.
    var place: HandlerPlace { flags.contains(.main) ? .main : .poster }

    /// Releases the handler; no thread may be reading it.
    func releaseHandler() {}

    /// Releases the handler and the filter, by the same rule.
    final func releaseClosures() {
        releaseHandler()
        context.releaseFilter()
    }

    /// Whether its owner or subject has expired, so that it can never be called again.
    ///
    /// The check may release that object, so it never runs under a lock.
    var isExpired: Bool { hasExpiredSubject }

    /// Whether the one object that its messages must be about has expired.
    ///
    /// Checked again before each call that has waited. Never checked under a lock.
    final var hasExpiredSubject: Bool {
        flags.contains(.subject) && context.subject?.isExpired ?? false
    }

    /// Whether `object`, which the caller keeps alive, is its owner.
    ///
    /// Never called under a lock.
    func isOwned(by object: AnyObject) -> Bool { false }

    // MARK: Life

    /// The number of this observation, unique in the process and never used again.
    var identifier: UInt64 { id }

    /// Where the observation was made.
    var source: SourceLocation { SourceLocation(file: file, line: UInt(line)) }

    var rank: Rank { Rank(priority: priority, id: id) }

    /// Whether calls go ahead without further checks.
    @inline(__always)
    final var isPlainlyActive: Bool { state.load(ordering: .sequentiallyConsistent) == 0 }

    var isActive: Bool { state.load(ordering: .sequentiallyConsistent) & Self.ended == 0 }

    /// The observations that it represents: itself, unless it represents several.
    var parts: [Registration] { [self] }

    /// Whether messages skip it for now.
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

    /// Forbids every later call; returns whether this caller was the first to do so.
    func end() -> Bool {
        let old = state.bitwiseOr(Self.ended, ordering: .sequentiallyConsistent).oldValue
        guard old & Self.ended == 0 else { return false }
        context.mainBuffer?.discard()
        context.didEnd?()
        return true
    }

    /// Ends the observation and removes it from its home.
    func cancel() {
        if end() {
            currentHome?.remove(self)
        } else if state.load(ordering: .acquiring) & Self.removed == 0 {
            // Another thread is about to remove it; once this has returned, the home no longer
            // counts it.
            currentHome?.forget(self)
        }
    }

    /// Notes that its home no longer keeps it.
    func noteRemoval() {
        state.bitwiseOr(Self.removed, ordering: .releasing)
    }

    /// The home that keeps it, while that home lives.
    var currentHome: RegistrationHome? { context.home }

    private static let ended: UInt8 = 1
    private static let blocked: UInt8 = 2
    /// A filter or the single call must be checked before each call.
    private static let careful: UInt8 = 4
    /// Its home no longer keeps it.
    private static let removed: UInt8 = 8

    /// Decides on a call that needs a check; nil allows the call.
    ///
    /// - Parameters:
    ///   - input: The value for the handler.
    ///   - isWanted: The result of the filter, if it was called already.
    /// - Returns: The outcome if there is no call.
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
        // Read again: the filter is the user's code and takes its time.
        return isActive ? nil : .ended
    }
}
