// SPDX-License-Identifier: Apache-2.0

// This file declares calls that a newcomer is likely to write. The compiler's error for each call
// names the correct call. Each declaration differs from the available forms by a label or by the
// type of an argument before the closure, so that the compiler never tries two forms for one
// closure. `Tests/WrongPrograms` checks the errors.

extension MessageCenter {
    /// Options belong to a selection.
    @available(*, unavailable, message: "write 'messages(of:).about(subject).observe'")
    public func observe<M: Message>(
        _ type: M.Type,
        about subject: any AnyObject & Sendable,
        _ handler: (M) -> Void
    ) -> ObservationToken { unavailable() }

    /// Options belong to a selection.
    @available(*, unavailable, message: "write 'messages(of:).priority(priority).observe'")
    public func observe<M: Message>(
        _ type: M.Type,
        priority: ObservationPriority,
        _ handler: (M) -> Void
    ) -> ObservationToken { unavailable() }

    /// Options belong to a selection.
    @available(*, unavailable, message: "write 'messages(of:).about(subject).observe(owner:)'")
    public func observe<M: Message, Owner>(
        _ type: M.Type,
        owner: Owner,
        about subject: any AnyObject & Sendable,
        on isolation: MainIsolation = .main,
        _ handler: @MainActor (Owner, M) -> Void
    ) -> ObservationToken { unavailable() }

    /// Options belong to a selection.
    @available(*, unavailable, message: "write 'messages(of:).priority(priority).observe(owner:)'")
    public func observe<M: Message, Owner>(
        _ type: M.Type,
        owner: Owner,
        priority: ObservationPriority,
        on isolation: MainIsolation = .main,
        _ handler: @MainActor (Owner, M) -> Void
    ) -> ObservationToken { unavailable() }

    /// A center observes where the message is posted and on the main actor.
    @available(*, unavailable, message: "write 'messages(of:).observe(on: actor)'")
    public func observe<M: Message, Isolation: Actor>(
        _ type: M.Type,
        on actor: Isolation,
        _ handler: (isolated Isolation, M) -> Void
    ) -> ObservationToken { unavailable() }

    /// The main actor is `.main`.
    @available(*, unavailable, message: "write 'on: .main'")
    public func observe<M: Message>(
        _ type: M.Type,
        on actor: MainActor,
        _ handler: @MainActor (M) -> Void
    ) -> ObservationToken { unavailable() }

    /// The main actor is `.main`.
    @available(*, unavailable, message: "write 'on: .main'")
    public func observe<M: Message, Owner>(
        _ type: M.Type,
        owner: Owner,
        on actor: MainActor,
        _ handler: @MainActor (Owner, M) -> Void
    ) -> ObservationToken { unavailable() }

    /// The labels have one order.
    @available(*, unavailable, message: "write 'owner:' before 'on:'")
    public func observe<M: Message, Owner>(
        _ type: M.Type,
        on isolation: MainIsolation,
        owner: Owner,
        _ handler: @MainActor (Owner, M) -> Void
    ) -> ObservationToken { unavailable() }

    /// A name without an owner is a selection.
    @available(*, unavailable, message: "add 'owner:', or write 'messages(named:).observe'")
    public func observe(
        named name: String,
        _ handler: (_ name: String, _ object: (any Sendable)?) -> Void
    ) -> ObservationToken { unavailable() }

    /// A name on the main actor is a selection.
    @available(*, unavailable, message: "write 'messages(named:).observe(owner:on:)'")
    public func observe<Owner>(
        named name: String,
        owner: Owner,
        on isolation: MainIsolation,
        _ handler: @MainActor (_ name: String, _ object: (any Sendable)?) -> Void
    ) -> ObservationToken { unavailable() }

    /// A center posts messages, not types or strings.
    ///
    /// The parameter is `Any`, without a type parameter, so that a misspelled static member keeps
    /// its own error.
    @available(*, unavailable, message: "post a 'Message' value, or 'post(named:object:)'")
    public func post(_ message: Any) { unavailable() }

    // Names of other libraries.

    /// NotificationCenter.
    @available(*, unavailable, message: "write 'observe(_:)' or 'observe(named:owner:)'")
    public func addObserver(
        forName name: Any?,
        object: Any?,
        queue: Any?,
        using handler: (Any) -> Void
    ) -> ObservationToken { unavailable() }

    /// NotificationCenter.
    @available(*, unavailable, message: "call the token's 'cancel()', or 'removeObservations(of:)'")
    public func removeObserver(_ observer: Any) { unavailable() }

    /// Combine.
    @available(*, unavailable, renamed: "messages(of:)")
    public func publisher<M: Message>(for type: M.Type) -> Selection<M> { unavailable() }

    /// MQTT, Redis and others.
    @available(*, unavailable, renamed: "observe(_:_:)")
    public func subscribe<M: Message>(
        _ type: M.Type,
        _ handler: (M) -> Void
    ) -> ObservationToken { unavailable() }

    /// MQTT, Redis and others.
    @available(*, unavailable, renamed: "post(_:)")
    public func publish(_ message: some Message) { unavailable() }

    /// Combine.
    @available(*, unavailable, renamed: "post(_:)")
    public func send(_ message: some Message) { unavailable() }

    /// Several Apple classes.
    @available(*, unavailable, renamed: "default")
    public static var shared: MessageCenter { unavailable() }
}

extension Selection {
    /// The main actor is `.main`.
    @available(*, unavailable, message: "write 'on: .main'")
    public func observe(
        on actor: MainActor,
        _ handler: @MainActor (Element) -> Void
    ) -> ObservationToken { unavailable() }

    /// Combine.
    @available(*, unavailable, renamed: "observe(_:)")
    public func sink(_ handler: (Element) -> Void) -> ObservationToken { unavailable() }

    /// RxSwift.
    @available(*, unavailable, renamed: "observe(_:)")
    public func subscribe(onNext handler: (Element) -> Void) -> ObservationToken { unavailable() }

    /// Combine.
    @available(*, unavailable, renamed: "throttled(for:)")
    public func throttle(for interval: Duration) -> Selection { unavailable() }

    /// Combine.
    @available(*, unavailable, renamed: "debounced(for:)")
    public func debounce(for interval: Duration) -> Selection { unavailable() }

    /// Sequences.
    @available(*, unavailable, renamed: "where(_:)")
    public func filter(_ isIncluded: (Element) -> Bool) -> Selection { unavailable() }

    /// Sequences.
    @available(*, unavailable, message: "convert the element in the handler, or map 'values'")
    public func map<Result>(_ transform: (Element) -> Result) -> Selection<Result> { unavailable() }

    /// Combine.
    @available(*, unavailable, renamed: "removingDuplicates()")
    public func removeDuplicates() -> Selection { unavailable() }

    /// Combine.
    @available(*, unavailable, message: "name the place where the handler stands: 'observe(on:)'")
    public func receive(on place: Any) -> Selection { unavailable() }
}

extension ObservationToken {
    /// RxSwift.
    @available(*, unavailable, renamed: "cancel()")
    public func dispose() { unavailable() }

    /// RxSwift.
    @available(*, unavailable, renamed: "store(in:)")
    public func disposed(by bag: ObservationBag) { unavailable() }
}
