// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Registers an object for everything that is told through a protocol.
    ///
    /// It takes part in every `notify` of that protocol that begins after this call has returned,
    /// behind those already registered. It is held weakly: a dead one is never called and is swept
    /// by the next use of the protocol. Registering one object twice is one registration; it keeps
    /// its place. Protocols are told apart by their identity, not by their names.
    ///
    /// ```swift
    /// protocol DownloadObserver: AnyObject, Sendable {
    ///     func downloadCompleted(_ name: String)
    /// }
    ///
    /// try center.register((any DownloadObserver).self, observer: self)
    /// center.notify((any DownloadObserver).self) { $0.downloadCompleted("film.mp4") }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The protocol, written `(any P).self`; a class will do as well.
    ///   - observer: An instance of a class that conforms to it; it is not kept alive.
    ///   - fileID: The calling file, for the error.
    ///   - line: The calling line.
    /// - Throws: `notAnObject` for a value that is not an instance of a class: nothing could be
    ///   held weakly.
    public func register<Observer: Sendable>(
        _ type: Observer.Type,
        observer: Observer,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(TidingsError) {
        try registered.makeList(of: type).add(observer, fileID: fileID, line: line)
    }

    /// Ends the registration of an object for a protocol; one that is not there changes nothing.
    ///
    /// After this call has returned no call of it begins any more, not in a `notify` in progress.
    ///
    /// ```swift
    /// center.unregister((any DownloadObserver).self, observer: self)
    /// ```
    public func unregister<Observer: Sendable>(_ type: Observer.Type, observer: Observer) {
        registered.list(of: type)?.remove(observer)
    }

    /// Returns whether an object is registered for a protocol.
    ///
    /// ```swift
    /// let isListening = center.isRegistered((any DownloadObserver).self, observer: self)
    /// ```
    public func isRegistered<Observer: Sendable>(
        _ type: Observer.Type,
        observer: Observer
    ) -> Bool {
        registered.members(of: type)?.contains(observer) ?? false
    }

    /// Calls `body` with each object that is registered for a protocol and returns how many there
    /// were.
    ///
    /// They are called in the order in which they were registered, on the calling thread and
    /// without a lock. One that is registered meanwhile waits for the next time; one that is
    /// unregistered meanwhile is not called any more. A `notify` inside `body` or inside a handler
    /// runs at once; a message posted inside `body` is delivered after the last object was called.
    ///
    /// ```swift
    /// center.notify((any DownloadObserver).self) { $0.downloadCompleted("film.mp4") }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The protocol, written `(any P).self`.
    ///   - body: What to call on each.
    /// - Returns: How many living objects were registered.
    @discardableResult
    public func notify<Observer: Sendable>(
        _ type: Observer.Type,
        _ body: (Observer) -> Void
    ) -> Int {
        guard let list = registered.audience(of: type) else { return 0 }
        return DeliveryThread.current.deliver(for: self) { list.notify(body) }
    }

    /// Calls `body` on the main actor with each object that is registered for a protocol and
    /// returns how many there are.
    ///
    /// The form for screens, with a protocol that is `@MainActor`. It runs inline when called on
    /// the main actor, after what this center still has waiting there; otherwise it joins the
    /// queue in which the center's messages wait for the main actor.
    ///
    /// ```swift
    /// center.notify((any DownloadScreen).self, on: .main) { $0.showCompleted("film.mp4") }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The protocol, written `(any P).self`.
    ///   - isolation: `.main`.
    ///   - body: What to call on each.
    /// - Returns: How many living objects are registered.
    @discardableResult
    public func notify<Observer: Sendable>(
        _ type: Observer.Type,
        on isolation: MainIsolation,
        _ body: @escaping @MainActor @Sendable (Observer) -> Void
    ) -> Int {
        registered.audience(of: type)?.notify(by: mainQueue, for: self, body) ?? 0
    }
}
