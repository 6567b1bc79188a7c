// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension MessageCenter {
    /// Calls a closure with each error that a handler throws, until the token is cancelled or
    /// dropped.
    ///
    /// Every registered hook is called once per error, in the order of registration, on the thread
    /// of the handler, without a lock. All remaining handlers run as if the error had not occurred.
    /// An error that goes to the caller of `postAndWait` is not reported here. Without a hook,
    /// errors are dropped. Errors of handlers that run in a post from inside a hook are not
    /// reported to any hook.
    ///
    /// ```swift
    /// let token = center.addErrorHook { failure in print(failure) }
    /// ```
    ///
    /// - Parameters:
    ///   - fileID: The calling file, for the leak report.
    ///   - line: The calling line.
    ///   - hook: Called with each error and the observation whose handler threw the error.
    /// - Returns: The token that removes the hook.
    public func addErrorHook(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ hook: @escaping @Sendable (HandlerFailure) -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let settings = RegistrationSettings(home: errorHooks, source: source)
        let registration = HookRegistration(settings, hook)
        errorHooks.insert(registration)
        return ObservationToken(registration)
    }

    /// Calls a closure with each message that had no recipient, until the token is cancelled or
    /// dropped.
    ///
    /// Every registered hook is called once per such post, in the order of registration, on the
    /// thread of the post, without a lock. Posts from inside a hook call no hook.
    ///
    /// ```swift
    /// let token = center.addUnhandledHook { message in
    ///     print("no observer of \(message.name), posted at \(message.location)")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - fileID: The calling file, for the leak report.
    ///   - line: The calling line.
    ///   - hook: Called with each message and the location of the post.
    /// - Returns: The token that removes the hook.
    public func addUnhandledHook(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ hook: @escaping @Sendable (UnhandledMessage) -> Void
    ) -> ObservationToken {
        let didEnd: @Sendable () -> Void = { [weak self] in
            self?.registry.withLock { $0.add(.inline(-1)) }
        }
        let settings = RegistrationSettings(
            home: unhandledHooks,
            source: SourceLocation(fileID: fileID, line: line),
            didEnd: didEnd
        )
        let registration = HookRegistration(settings, hook)
        unhandledHooks.insert(registration)
        // A direct post does not check for recipients.
        registry.withLock { $0.add(.inline(1)) }
        return ObservationToken(registration)
    }

    /// Calls the error hooks, unless an error hook already runs on this thread.
    func report(_ error: any Error, of registration: Registration) {
        let thread = DeliveryThread.current
        guard !errorHooks.isEmpty, !thread.isInside(.error, of: self) else { return }
        report(HandlerFailure(error: error, observation: registration.info))
    }

    /// Calls the error hooks with a failure, unless an error hook already runs on this thread.
    func report(_ failure: HandlerFailure) {
        let thread = DeliveryThread.current
        guard !errorHooks.isEmpty, !thread.isInside(.error, of: self) else { return }
        thread.inside(.error, of: self) {
            _ = Incoming.with(failure) { errorHooks.deliver($0, on: thread) { _, _ in } }
        }
    }

    /// Calls the unhandled hooks.
    func callUnhandledHooks<M: Message>(
        _ message: M,
        named name: MessageName,
        at source: SourceLocation
    ) {
        guard !unhandledHooks.isEmpty else { return }
        let unhandled = UnhandledMessage(
            message: message,
            name: name.text,
            location: source.description
        )
        let thread = DeliveryThread.current
        thread.inside(.unhandled, of: self) {
            _ = Incoming.with(unhandled) { unhandledHooks.deliver($0, on: thread) { _, _ in } }
        }
    }
}

/// A kind of hook, as recorded by the thread that runs the hook.
enum HookKind: Hashable {
    case error
    case unhandled
    /// A watcher of the center.
    case watcher
}

extension DeliveryThread {
    /// Returns whether this thread runs this kind of hook of `center` now.
    func isInside(_ hook: HookKind, of center: MessageCenter) -> Bool {
        let mark = HookMark(hook: hook, center: ObjectIdentifier(center))
        return state { $0.hooks.contains(mark) }
    }

    /// Whether this thread runs a hook of any center now.
    var isInsideHook: Bool { state { !$0.hooks.isEmpty } }

    /// Runs `body` and marks this thread as inside the hook until `body` returns.
    func inside(_ hook: HookKind, of center: MessageCenter, _ body: () -> Void) {
        let mark = HookMark(hook: hook, center: ObjectIdentifier(center))
        state { $0.hooks.append(mark) }
        body()
        state { _ = $0.hooks.popLast() }
    }
}

/// A hook that a thread is running.
struct HookMark: Equatable {
    let hook: HookKind
    let center: ObjectIdentifier
}

/// An error that a handler threw, with the observation of the handler.
///
/// ```swift
/// let token = center.addErrorHook { failure in log("\(failure.observation): \(failure.error)") }
/// ```
public struct HandlerFailure: Error, Sendable {
    /// The error that the handler threw.
    public let error: any Error
    /// The observation whose handler threw the error.
    public let observation: ObservationInfo
}

/// A message that had no recipient when it was posted.
///
/// ```swift
/// let token = center.addUnhandledHook { message in print("no observer of \(message.name)") }
/// ```
public struct UnhandledMessage: Sendable {
    /// The message itself.
    public let message: any Message
    /// The name of the message's type without the module, or the name under which it was posted.
    public let name: String
    /// The location of the post, as `#fileID:line`.
    public let location: String
}
