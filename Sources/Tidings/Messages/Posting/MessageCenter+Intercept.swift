// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension MessageCenter {
    /// Lets a closure change or drop the messages of a type before anybody is addressed.
    ///
    /// Interceptors are called on the poster's thread, without a lock, in order of priority and
    /// then of registration, those of one type and those of all types together; each receives what
    /// the one before has returned. A post that begins after this call has returned passes it.
    ///
    /// A message that is dropped addresses nobody: `post` returns 0, the unhandled hook is not
    /// told, nothing is retained, and who watches the center sees it as `intercepted`. A post with
    /// `delivery: .required` then throws `noObservers`. A changed message is delivered as if it
    /// had been posted so.
    ///
    /// A post inside a handler passes the interceptors at once and is queued afterwards. A post
    /// that an interceptor makes passes the interceptors too and comes before the message that is
    /// held up; an interceptor that posts its own type must know when to stop.
    ///
    /// A post by name is an ``UntypedMessage`` and passes the interceptors of that type and of all
    /// types, not those of a type that it may be converted to.
    ///
    /// Posts of this type take longer while somebody intercepts it.
    ///
    /// ```swift
    /// let token = center.intercept(ChatLine.self) { line in
    ///     line.text.isEmpty ? nil : ChatLine(text: line.text.lowercased())
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - priority: Its place among the interceptors.
    ///   - fileID: The intercepting file, for those who look for leaks.
    ///   - line: The intercepting line.
    ///   - change: Returns the message to deliver, or nil to drop it.
    /// - Returns: The token that ends the interception.
    public func intercept<M: Message>(
        _ type: M.Type,
        priority: ObservationPriority = .normal,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ change: @escaping @Sendable (M) -> M?
    ) -> ObservationToken {
        addInterceptor(of: type, priority, SourceLocation(fileID: fileID, line: line)) {
            ClosureRegistration($0) { (interception: Interception) in
                interception.pass(type, change)
            }
        }
    }

    /// Lets a closure change or drop the messages of a type for as long as `owner` lives.
    ///
    /// The rules are those of the plain form; the owner is held weakly and handed to the closure.
    ///
    /// ```swift
    /// center.intercept(ChatLine.self, owner: self) { room, line in
    ///     room.isMuted ? nil : line
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - owner: The object whose life bounds the interception.
    ///   - priority: Its place among the interceptors.
    ///   - fileID: The intercepting file, for those who look for leaks.
    ///   - line: The intercepting line.
    ///   - change: Returns the message to deliver, or nil to drop it. Capture `self` nowhere: use
    ///     the parameter.
    /// - Returns: A token that ends the interception earlier, by `cancel()`.
    @discardableResult
    public func intercept<M: Message, Owner: AnyObject & Sendable>(
        _ type: M.Type,
        owner: Owner,
        priority: ObservationPriority = .normal,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ change: @escaping @Sendable (Owner, M) -> M?
    ) -> ObservationToken {
        addInterceptor(of: type, priority, SourceLocation(fileID: fileID, line: line)) {
            OwnedRegistration($0, owner) { (owner: Owner, interception: Interception) in
                interception.pass(type) { change(owner, $0) }
            }
        }
    }

    /// Lets a closure drop messages of any type before anybody is addressed.
    ///
    /// The rules are those of ``intercept(_:priority:fileID:line:_:)``. Every post of this center
    /// takes longer meanwhile.
    ///
    /// ```swift
    /// let token = center.interceptAll { message in
    ///     !(message is any Advertisement)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - priority: Its place among the interceptors.
    ///   - fileID: The intercepting file, for those who look for leaks.
    ///   - line: The intercepting line.
    ///   - isWanted: Returns whether the message goes on.
    /// - Returns: The token that ends the interception.
    public func interceptAll(
        priority: ObservationPriority = .normal,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ isWanted: @escaping @Sendable (any Message) -> Bool
    ) -> ObservationToken {
        addInterceptor(priority, SourceLocation(fileID: fileID, line: line)) {
            ClosureRegistration($0) { (interception: Interception) in interception.pass(isWanted) }
        }
    }

    /// Lets a closure drop messages of any type for as long as `owner` lives.
    ///
    /// The rules are those of ``intercept(_:owner:priority:fileID:line:_:)``. Every post of this
    /// center takes longer meanwhile.
    ///
    /// ```swift
    /// center.interceptAll(owner: self) { session, message in session.isOpen }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The object whose life bounds the interception.
    ///   - priority: Its place among the interceptors.
    ///   - fileID: The intercepting file, for those who look for leaks.
    ///   - line: The intercepting line.
    ///   - isWanted: Returns whether the message goes on. Capture `self` nowhere: use the
    ///     parameter.
    /// - Returns: A token that ends the interception earlier, by `cancel()`.
    @discardableResult
    public func interceptAll<Owner: AnyObject & Sendable>(
        owner: Owner,
        priority: ObservationPriority = .normal,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ isWanted: @escaping @Sendable (Owner, any Message) -> Bool
    ) -> ObservationToken {
        addInterceptor(priority, SourceLocation(fileID: fileID, line: line)) {
            OwnedRegistration($0, owner) { (owner: Owner, interception: Interception) in
                interception.pass { isWanted(owner, $0) }
            }
        }
    }
}

extension MessageCenter {
    /// Adds an interceptor of one type, whose posts take the detour as long as it stands.
    private func addInterceptor<M: Message>(
        of type: M.Type,
        _ priority: ObservationPriority,
        _ source: SourceLocation,
        _ make: (RegistrationTerms) -> Registration
    ) -> ObservationToken {
        addInterceptor(priority, source, make) { center, change in
            center.channel(of: type, on: .current).use { $0.addDetour(change) }
        }
    }

    /// Adds an interceptor of all types.
    private func addInterceptor(
        _ priority: ObservationPriority,
        _ source: SourceLocation,
        _ make: (RegistrationTerms) -> Registration
    ) -> ObservationToken {
        addInterceptor(priority, source, make) { center, change in
            center.registry.withLock { $0.addDetour(change) }
        }
    }

    private func addInterceptor(
        _ priority: ObservationPriority,
        _ source: SourceLocation,
        _ make: (RegistrationTerms) -> Registration,
        addDetour: @escaping @Sendable (MessageCenter, Int) -> Void
    ) -> ObservationToken {
        let didEnd: @Sendable () -> Void = { [weak self] in
            if let self { addDetour(self, -1) }
        }
        let terms = RegistrationTerms(
            home: interceptors,
            priority: priority,
            source: source,
            extras: RegistrationExtras(didEnd: didEnd)
        )
        let registration = make(terms)
        interceptors.insert(registration)
        interceptors.sweep(atMost: Roster.sweepLimit)
        // Behind the insertion: a post that takes the detour finds the interceptor.
        addDetour(self, 1)
        return ObservationToken(registration)
    }
}
