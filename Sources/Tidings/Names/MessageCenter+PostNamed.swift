// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

extension MessageCenter {
    /// Delivers a name and an object to everybody who observes that name.
    ///
    /// The rules are those of a post by type; both are one order. A ``NamedMessage`` of that name
    /// is made for those who observe its type.
    ///
    /// ```swift
    /// let recipients = center.post(named: "InternetConnect", object: "home")
    /// ```
    ///
    /// - Parameters:
    ///   - name: What happened.
    ///   - object: What is sent along.
    ///   - fileID: The posting file, for those who watch the center.
    ///   - line: The posting line.
    /// - Returns: How many observations it addressed: registered, with a living owner.
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

    /// Calls those who observe a name, as a turn of this center; nil if there is more to do.
    @usableFromInline
    func deliver(_ message: UntypedMessage) -> Int? {
        let thread = DeliveryThread.current
        // Whoever reads the center finds channels of names that are kept.
        return thread.reading(self) {
            guard untyped.isEmpty, untyped.slowPathReasons == .full(1) else { return nil }
            switch road(to: message.name, on: thread) {
            case .nowhere: return 0
            case .detour: return nil
            case .direct(let channel):
                return Incoming.with(message) { deliver($0, by: channel, on: thread) }
            }
        }
    }

    /// Delivers a name and an object that must reach an observer.
    ///
    /// ```swift
    /// try center.post(named: "InternetConnect", requiring: .recipient)
    /// ```
    ///
    /// - Parameters:
    ///   - name: What happened.
    ///   - object: What is sent along.
    ///   - requirement: What the post must have.
    ///   - fileID: The posting file, for the error and for watchers of the center.
    ///   - line: The posting line.
    /// - Returns: How many observations it addressed, at least 1.
    /// - Throws: `noObservers` if nobody observes the name; the unhandled hooks were called, too.
    @discardableResult
    public func post(
        named name: String,
        object: (any Sendable)? = nil,
        requiring requirement: PostingRequirement,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(TidingsError) -> Int {
        let addressed = post(named: name, object: object, fileID: fileID, line: line)
        guard addressed == 0 else { return addressed }
        let source = SourceLocation(fileID: fileID, line: line)
        throw TidingsError(.noObservers, TidingsError.nobodyObserves("\"\(name)\""), at: source)
    }

    /// Returns how many observations a post under this name would address now.
    ///
    /// Those of types with that name are among them, as if the object could be converted, and those
    /// about a subject, as if it were the object. Looks at each owner, so it costs as much as there
    /// are observations.
    ///
    /// ```swift
    /// if center.count(named: "InternetConnect") == 0 { print("nobody would hear that") }
    /// ```
    public func count(named name: String) -> Int {
        let group = registry.withLock { $0.names[name] }
        let forms = group?.forms.map(\.channel) ?? []
        return countLiving(in: [group?.channel, untyped, wildcards] + forms)
    }

    /// Those who observe a name.
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
    /// How a post under a name goes, for a thread that reads the center.
    private func road(to name: String, on thread: DeliveryThread) -> Registry.Road {
        let version = nameVersion.load(ordering: .sequentiallyConsistent)
        let known = thread.state { $0.names.channel(of: name, in: number, at: version) }
        if let known { return .direct(known) }
        let road = registry.withLock { $0.road(to: name) }
        if case .direct(let channel) = road {
            thread.state { $0.names.insert(channel, of: name, in: number, at: version) }
        }
        return road
    }
}

extension MessageCenter.Registry {
    /// How a post under a name goes.
    enum Road {
        /// To nobody.
        case nowhere
        /// To those who observe the name, if their channel agrees.
        case direct(BorrowedChannel)
        case detour
    }

    func road(to name: String) -> Road {
        if let channel = names.borrow(name) { return .direct(channel) }
        return names[name] == nil ? .nowhere : .detour
    }
}
