// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Registers an object for all notifications of a protocol.
    ///
    /// The object takes part in every `notify` of the protocol that starts after this call has
    /// returned, after the objects already registered. The center holds the object weakly: a
    /// deallocated object is never called, and the next use of the protocol removes the
    /// registration. Registering one object twice is one registration, which keeps its position.
    /// Protocols are distinguished by identity, not by name.
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
    ///   - type: The protocol, written `(any P).self`. A class is also possible.
    ///   - observer: An instance of a class that conforms to the protocol, held weakly.
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

    /// Ends the registration of an object for a protocol, if there is one.
    ///
    /// After this call has returned, no call of the object starts, not even in a `notify` in
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
    /// The objects are called in the order in which they were registered, on the calling thread and
    /// without a lock. An object that is registered during the call takes part from the next
    /// `notify` on. An object that is unregistered during the call is not called any more. A
    /// `notify` inside `body` or inside a handler runs immediately. A message posted inside `body`
    /// is delivered after the last object was called.
    ///
    /// ```swift
    /// center.notify((any DownloadObserver).self) { $0.downloadCompleted("film.mp4") }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The protocol, written `(any P).self`.
    ///   - body: Called with each object.
    /// - Returns: The number of living objects that were registered.
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
    /// This form is for screens, with a protocol that is `@MainActor`. The notification runs inline
    /// when called on the main actor, after this center's pending calls on the main actor.
    /// Elsewhere, the notification joins the queue of the center's messages for the main actor.
    ///
    /// ```swift
    /// center.notify((any DownloadScreen).self, on: .main) { $0.showCompleted("film.mp4") }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The protocol, written `(any P).self`.
    ///   - isolation: `.main`.
    ///   - body: Called with each object.
    /// - Returns: The number of living objects that are registered.
    @discardableResult
    public func notify<Observer: Sendable>(
        _ type: Observer.Type,
        on isolation: MainIsolation,
        _ body: @escaping @MainActor @Sendable (Observer) -> Void
    ) -> Int {
        registered.audience(of: type)?.notify(by: mainQueue, for: self, body) ?? 0
    }
}
