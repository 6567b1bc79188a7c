// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension MessageCenter {
    /// What a center tells its owner, as its lock guards it.
    struct Hooks: Sendable {
        var error: (@Sendable (HandlerFailure) -> Void)?
        var unhandled: (@Sendable (UnhandledMessage) -> Void)?
    }

    /// Sets what is told of the errors that handlers throw; nil takes it back.
    ///
    /// Each error is told once, on the thread of the handler, without a lock; the other handlers
    /// run as if nothing had happened. An error that goes to the caller of `postAndWait` is not
    /// told here. Without a hook errors are dropped. What fails in a post that the hook itself
    /// makes is not told again.
    ///
    /// ```swift
    /// center.setErrorHook { failure in print(failure) }
    /// ```
    public func setErrorHook(_ hook: (@Sendable (HandlerFailure) -> Void)?) {
        let replaced = hooks.withLock { hooks in
            defer { hooks.error = hook }
            return hooks.error
        }
        withExtendedLifetime(replaced) {}
    }

    /// Sets what is told of messages that had no recipient; nil takes it back.
    ///
    /// Told once for each such post, on its thread, without a lock. Posts that the hook itself
    /// makes never call it.
    ///
    /// ```swift
    /// center.setUnhandledHook { print("nobody heard \($0.name), posted at \($0.location)") }
    /// ```
    public func setUnhandledHook(_ hook: (@Sendable (UnhandledMessage) -> Void)?) {
        let replaced = hooks.withLock { hooks in
            defer { hooks.unhandled = hook }
            let change = (hook == nil ? 0 : 1) - (hooks.unhandled == nil ? 0 : 1)
            if change != 0 { registry.withLock { $0.addDetour(change) } }
            return hooks.unhandled
        }
        withExtendedLifetime(replaced) {}
    }

    /// Tells the error hook of a failure, unless that hook is at work on this thread.
    func report(_ error: any Error, of registration: Registration) {
        guard !DeliveryThread.current.isInside(.error, of: self) else { return }
        guard let hook = hooks.withLock({ $0.error }) else { return }
        let failure = HandlerFailure(error: error, observation: registration.info)
        DeliveryThread.current.inside(.error, of: self) { hook(failure) }
    }

    /// Tells the unhandled hook of a message.
    func tellUnhandled<M: Message>(
        _ message: M,
        named name: MessageName,
        at source: SourceLocation
    ) {
        guard let hook = hooks.withLock({ $0.unhandled }) else { return }
        let unhandled = UnhandledMessage(
            message: message,
            name: name.text,
            location: source.description
        )
        DeliveryThread.current.inside(.unhandled, of: self) { hook(unhandled) }
    }
}

/// A hook of a center, as the thread that runs it remembers it.
enum HookKind: Hashable {
    case error
    case unhandled
    /// Whoever watches the center.
    case watcher
}

extension DeliveryThread {
    /// Whether the hook of `center` runs on this thread now.
    func isInside(_ hook: HookKind, of center: MessageCenter) -> Bool {
        let mark = HookMark(hook: hook, center: ObjectIdentifier(center))
        return state { $0.hooks.contains(mark) }
    }

    /// Whether a hook of any center runs on this thread now.
    var isInsideHook: Bool { state { !$0.hooks.isEmpty } }

    /// Runs `body` as that hook.
    func inside(_ hook: HookKind, of center: MessageCenter, _ body: () -> Void) {
        let mark = HookMark(hook: hook, center: ObjectIdentifier(center))
        state { $0.hooks.append(mark) }
        body()
        state { _ = $0.hooks.popLast() }
    }
}

/// A hook that a thread is in.
struct HookMark: Equatable {
    let hook: HookKind
    let center: ObjectIdentifier
}
