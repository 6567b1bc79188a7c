// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One observation: who is called, in which place, and whether still.
///
/// Homes keep registrations and tokens refer to them; what a handler captured is released when
/// the observation ends, not when its token goes. The class is not generic, and what it receives
/// is an ``Incoming`` of the type under which it was filed, so that a post calls handlers of any
/// type through the same few instructions. Its fields are packed: a program may have a million.
///
/// Invariant: every stored property is constant or atomic. The compiler checks that of no class
/// that has subclasses; theirs state their own.
class Registration: @unchecked Sendable {
    private let state: Atomic<UInt8>
    let flags: RegistrationFlags
    private let priority: Int16
    private let line: UInt32
    private let id: UInt64
    private let file: StaticText
    /// Its home, and what few observations have.
    final let context: RegistrationContext

    private static let lastID = Atomic<UInt64>(0)

    init(_ settings: RegistrationSettings, flags: RegistrationFlags) {
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
    /// Only by a thread that reads the registration's home. One for the main actor must only be
    /// called where ``MainActorCheck`` says yes.
    func call(_ input: Incoming) throws -> CallOutcome {
        preconditionFailure("A registration says how its observer is called.")
    }

    /// Calls the handler, or puts the message into a queue with what belongs to it.
    func call(_ input: Incoming, _ context: DeliveryContext) throws -> CallOutcome {
        try call(input)
    }

    /// Where its messages wait, if they do.
    var queue: (any ObservationQueue)? { context.mainBuffer }

    /// The calls of its asynchronous handler that run now.
    var runningCalls: [MailboxCall] { [] }

    /// Calls `action` once everything is handled that it took, at once if that is so now.
    ///
    /// Only of one that has ended and that nobody calls any more on the poster's thread.
    func whenDrained(_ action: @escaping @Sendable () -> Void) { action() }

    /// The name of what it receives.
    var inputName: MessageName { .text("") }

    /// Where its messages go.
    var place: ObservationKind.Place { flags.contains(.main) ? .main : .poster }

    /// Drops the handler; only when nobody can be reading it.
    func releaseHandler() {}

    /// Drops the handler and the filter, by the same rule.
    final func releaseClosures() {
        releaseHandler()
        context.releaseFilter()
    }

    /// Whether its owner or subject died, so that it can never be called again.
    ///
    /// Asking may be what releases that object: never under a lock.
    var isExpired: Bool { hasExpiredSubject }

    /// Whether the one object died that its messages must be about.
    ///
    /// Asked again before each call that has waited. Never asked under a lock.
    final var hasExpiredSubject: Bool {
        flags.contains(.subject) && context.subject?.isDead ?? false
    }

    /// Whether `object`, which the caller keeps alive, is its owner.
    ///
    /// Never asked under a lock.
    func isOwned(by object: AnyObject) -> Bool { false }

    // MARK: Life

    /// The number of this observation: unique in the process and never used again.
    var identifier: UInt64 { id }

    /// Where the observation was made.
    var source: SourceLocation { SourceLocation(file: file, line: UInt(line)) }

    var rank: Rank { Rank(priority: priority, id: id) }

    /// Whether calls go ahead without another question.
    @inline(__always)
    final var isPlainlyActive: Bool { state.load(ordering: .sequentiallyConsistent) == 0 }

    var isActive: Bool { state.load(ordering: .sequentiallyConsistent) & Self.ended == 0 }

    /// The observations that it stands for: itself, unless it is several.
    var parts: [Registration] { [self] }

    /// Whether messages pass it by for now.
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

    /// Forbids every later call and says whether it was this caller who did.
    func end() -> Bool {
        let old = state.bitwiseOr(Self.ended, ordering: .sequentiallyConsistent).oldValue
        guard old & Self.ended == 0 else { return false }
        context.mainBuffer?.discard()
        context.didEnd?()
        return true
    }

    /// Ends the observation and takes it out of its home.
    func cancel() {
        if end() {
            currentHome?.remove(self)
        } else if state.load(ordering: .acquiring) & Self.removed == 0 {
            // Another thread is about to; nobody counts it any more once this has returned.
            currentHome?.forget(self)
        }
    }

    /// Notes that its home keeps it no longer.
    func noteRemoval() {
        state.bitwiseOr(Self.removed, ordering: .releasing)
    }

    /// Where it is kept, while that lives.
    var currentHome: RegistrationHome? { context.home }

    private static let ended: UInt8 = 1
    private static let blocked: UInt8 = 2
    /// There is something to ask or to decide before each call.
    private static let careful: UInt8 = 4
    /// It is kept by its home no longer.
    private static let removed: UInt8 = 8

    /// Decides on a call that is not plainly free to go ahead; nil lets it.
    ///
    /// - Parameters:
    ///   - input: What it receives.
    ///   - isWanted: What the admission has said already, if it was asked.
    /// - Returns: Why there is no call.
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
        // Read again: the admission is the user's code and takes its time.
        return isActive ? nil : .ended
    }
}
