// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// A list of delegates of one protocol, each held weakly.
///
/// The list replaces a `delegate` property, which holds only one object, and an array of delegates,
/// which keeps its elements alive. Delegates are notified in the order in which they were added. A
/// deallocated delegate is never called, and the next use of the list removes the entry. Adding one
/// object twice is one registration.
///
/// The protocol is bound to classes and `Sendable`. A protocol for screens is also `@MainActor`,
/// and such delegates are notified with ``notify(on:_:)``.
///
/// ```swift
/// protocol DownloadObserver: AnyObject, Sendable {
///     func downloadCompleted(_ name: String)
/// }
///
/// let delegates = Delegates<any DownloadObserver>()
/// try delegates.add(screen)
/// delegates.notify { $0.downloadCompleted("film.mp4") }
/// ```
public final class Delegates<Delegate: Sendable>: Sendable {
    private let list = Lock(DelegateList<Delegate>())
    private let mainQueue = MainQueue()

    /// Creates an empty list.
    public init() {}

    /// The number of delegates that are alive.
    ///
    /// Each access checks all delegates.
    public var count: Int { livingMembers().count }

    /// Adds a delegate after the existing ones.
    ///
    /// The delegate takes part in every `notify` that starts after this call has returned. An
    /// object that is already on the list keeps its position, and nothing changes.
    ///
    /// - Parameters:
    ///   - delegate: An instance of a class, which the list holds weakly.
    ///   - fileID: The calling file, for the error.
    ///   - line: The calling line.
    /// - Throws: `notAnObject` for a value that is not an instance of a class and cannot be held
    ///   weakly.
    public func add(
        _ delegate: Delegate,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(TidingsError) {
        guard let object = sendableObject(of: delegate) else {
            let text = """
                A delegate is held weakly, and \(type(of: delegate as Any)) is not a class. \
                Make it a class, or bind the protocol to AnyObject.
                """
            throw TidingsError(.notAnObject, text, at: SourceLocation(fileID: fileID, line: line))
        }
        sweep()
        list.withLock { $0.insert(delegate, object) }
    }

    /// Removes a delegate, if it is on the list.
    ///
    /// After this call has returned, no call of the delegate starts, not even in a `notify` in
    /// progress.
    public func remove(_ delegate: Delegate) {
        sweep()
        guard let object = sendableObject(of: delegate) else { return }
        list.withLock { $0.remove(object) }
    }

    /// Returns whether a delegate is on the list.
    public func contains(_ delegate: Delegate) -> Bool {
        guard let object = sendableObject(of: delegate) else { return false }
        return list.withLock { $0.contains(object) }
    }

    /// Calls `body` with each delegate, in the order in which they were added, and returns the
    /// number of delegates.
    ///
    /// Runs on the calling thread, without a lock. A delegate that is added during the call takes
    /// part from the next `notify` on. A delegate that is removed during the call is not called any
    /// more. A `notify` inside `body` runs immediately.
    @discardableResult
    public func notify(_ body: (Delegate) -> Void) -> Int {
        let members = list.withLock { $0.members }
        var expired = 0
        for member in members where !member.call(body) { expired += 1 }
        if expired > 0 { sweep() }
        return members.count - expired
    }

    /// Calls `body` with each delegate on the main actor and returns the number of delegates.
    ///
    /// On the main actor, the notification runs inline, after this list's pending notifications.
    /// Elsewhere, the notification is queued for the main actor, in order. Inside a `body` on the
    /// main actor, the notification runs immediately.
    @discardableResult
    public func notify(
        on isolation: MainIsolation,
        _ body: @escaping @MainActor @Sendable (Delegate) -> Void
    ) -> Int {
        notify(by: mainQueue, for: self, body)
    }

    /// Notifies through the queue of `home`, with each notification as a turn of `home`.
    func notify(
        by queue: MainQueue,
        for home: any AnyObject & Sendable,
        _ body: @escaping @MainActor @Sendable (Delegate) -> Void
    ) -> Int {
        let members = livingMembers()
        guard !members.isEmpty else { return 0 }
        let notification: @Sendable () -> Void = {
            // This closure runs below, after the check for the main actor, or from the queue, which
            // drains on the main actor.
            MainActor.assumeIsolated {
                for member in members { _ = member.call(body) }
            }
        }
        if MainActorCheck.isOnMainActor {
            let thread = DeliveryThread.current
            // Inside a `body`, pending notifications run after the current one.
            if !thread.isDelivering(for: home) { queue.drain(for: home) }
            thread.deliver(for: home, notification)
        } else {
            queue.append(for: home, notification)
        }
        return members.count
    }

    private func livingMembers() -> ContiguousArray<DelegateMember<Delegate>> {
        sweep()
        return list.withLock { $0.members }
    }

    /// Removes deallocated delegates.
    ///
    /// Expiry is checked outside the lock, because the check retains an object for a moment and may
    /// release the last reference.
    private func sweep() {
        let members = list.withLock { $0.members }
        var hasExpired = false
        for member in members where member.isExpired {
            member.end()
            hasExpired = true
        }
        if hasExpired { list.withLock { $0.removeEnded() } }
    }
}

// This extension declares calls that a newcomer is likely to write. The compiler's error for each
// call names the correct call.

extension Delegates {
    /// Multicast delegates of other libraries.
    @available(*, unavailable, renamed: "notify(_:)")
    public func invoke(_ body: (Delegate) -> Void) { unavailable() }
}
