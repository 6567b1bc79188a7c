// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

extension MessageCenter {
    /// Delivers a name and an object to every observer of the name.
    ///
    /// The rules are the same as for a post by type, and both share one order. Observers of a
    /// ``NamedMessage`` type with the name receive a message made from the object.
    ///
    /// ```swift
    /// let recipients = center.post(named: "InternetConnect", object: "home")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name to post.
    ///   - object: The object to send along, if any.
    ///   - fileID: The posting file, for watchers of the center.
    ///   - line: The posting line.
    /// - Returns: The number of addressed observations, which are registered and have a living
    ///   owner.
    @discardableResult
    @inlinable  // The object then becomes part of the message without a copy.
    public func post(
        named name: String,
        object: (any Sendable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Int {
        let message = UntypedMessage(name: name, object: object)
        return deliver(message) ?? send(message, fileID: fileID, line: line)
    }

    /// Calls the observers of a name, as a turn of this center.
    ///
    /// Returns nil if the post needs the slow path.
    @usableFromInline
    func deliver(_ message: UntypedMessage) -> Int? {
        let thread = DeliveryThread.current
        // While the thread reads the center, the channels of names that this post finds stay.
        return thread.reading(self) {
            guard untyped.isEmpty, untyped.slowPathReasons == .full(1) else { return nil }
            switch route(to: message.name, on: thread) {
            case .nowhere: return 0
            case .slowPath: return nil
            case .direct(let channel):
                return Incoming.with(message) { deliver($0, by: channel, on: thread) }
            }
        }
    }

    /// Returns how many observations a post under this name would address now.
    ///
    /// The count includes the observers of types with the name, as if the object could be
    /// converted. The count also includes the observations about a subject, as if the object were
    /// this subject. Each owner is checked, so the cost grows with the number of observations.
    ///
    /// ```swift
    /// if center.count(named: "InternetConnect") == 0 { print("no observer") }
    /// ```
    package func count(named name: String) -> Int {
        let group = registry.withLock { $0.names[name] }
        let forms = group?.forms.map(\.channel) ?? []
        return countLiving(in: [group?.channel, untyped, wildcards] + forms)
    }

    /// Returns the channel of a name, if the name was observed.
    func observers(named name: String) -> Channel? {
        registry.withLock { $0.names[name]?.channel }
    }

    func countLiving(
        in channels: [Channel?],
        where isWanted: (Registration) -> Bool = { _ in true }
    ) -> Int {
        channels.reduce(0) { count, channel in
            guard let channel else { return count }
            channel.sweep()
            return count + channel.snapshot().countLiving(where: isWanted)
        }
    }
}

extension MessageCenter {
    /// Returns the route of a post under a name, for a thread that reads the center.
    private func route(to name: String, on thread: DeliveryThread) -> Registry.Route {
        let version = nameVersion.load(ordering: .sequentiallyConsistent)
        let known = thread.state { $0.names.channel(of: name, in: number, at: version) }
        if let known { return .direct(known) }
        let route = registry.withLock { $0.route(to: name) }
        if case .direct(let channel) = route {
            thread.state { $0.names.insert(channel, of: name, in: number, at: version) }
        }
        return route
    }
}

extension MessageCenter.Registry {
    /// The route of a post under a name.
    enum Route {
        /// The name has no recipient.
        case nowhere
        /// The post goes to the observers of the name, if their channel has no slow-path reason.
        case direct(BorrowedChannel)
        case slowPath
    }

    func route(to name: String) -> Route {
        if let channel = names.borrow(name) { return .direct(channel) }
        return names[name] == nil ? .nowhere : .slowPath
    }
}
