// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Registers an object for all notifications of a protocol.
    ///
    /// It takes part in every `notify` of that protocol that begins after this call has returned,
    /// after the objects already registered. The center holds it weakly: a deallocated object is
    /// never called, and the next use of the protocol removes it. Registering one object twice is
    /// one registration; it keeps its position. Protocols are distinguished by their identity, not
    /// by their names.
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
    ///   - type: The protocol, written `(any P).self`; a class is also possible.
    ///   - observer: An instance of a class that conforms to it; the center does not keep it alive.
    ///   - fileID: The calling file, for the error.
    ///   - line: The calling line.
    /// - Throws: `notAnObject` for a value that is not an instance of a class and cannot be held
    ///   weakly.
    public func register<Observer: Sendable>(
        _ type: Observer.Type,
        observer: Observer,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(TidingsError) {
        try registered.makeList(of: type).add(observer, fileID: fileID, line: line)
    }

    /// Ends the registration of an object for a protocol; has no effect on an object without one.
    ///
    /// After this call has returned, no call of the object begins, not even in a `notify` in
    /// progress.
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

    /// Calls `body` with each object that is registered for a protocol and returns the number of
    /// objects.
    ///
    /// They are called in the order in which they were registered, on the calling thread and
    /// without a lock. An object that is registered meanwhile is called from the next `notify` on;
    /// one that is unregistered meanwhile is not called any more. A `notify` inside `body` or
    /// inside a handler runs at once; a message posted inside `body` is delivered after the last
    /// object was called.
    ///
    /// ```swift
    /// center.notify((any DownloadObserver).self) { $0.downloadCompleted("film.mp4") }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The protocol, written `(any P).self`.
    ///   - body: Called with each object.
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
    /// returns the number of objects.
    ///
    /// This form is for screens, with a protocol that is `@MainActor`. It runs inline when called
    /// on the main actor, after this center's pending calls there; elsewhere it joins the queue of
    /// the center's messages for the main actor.
    ///
    /// ```swift
    /// center.notify((any DownloadScreen).self, on: .main) { $0.showCompleted("film.mp4") }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The protocol, written `(any P).self`.
    ///   - isolation: `.main`.
    ///   - body: Called with each object.
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
