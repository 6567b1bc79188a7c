// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Observes a name as long as `owner` lives.
    ///
    /// For code that cannot name a type yet. The handler receives what is posted under the name,
    /// and every ``NamedMessage`` of that name. One object may observe several names, several
    /// objects may observe one, and one may observe a name several times. The rules are those of
    /// observing a type; for options, see ``messages(named:fileID:line:)``.
    ///
    /// ```swift
    /// center.observe(named: "InternetConnect", owner: self) { name, object in print(name) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - owner: The object whose life bounds the observation.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with the name and the object.
    /// - Returns: A token that ends the observation earlier, by `cancel()`.
    @discardableResult
    public func observe<Owner: AnyObject & Sendable>(
        named name: String,
        owner: Owner,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (_ name: String, _ object: (any Sendable)?) throws -> Void
    ) -> ObservationToken {
        messages(named: name).observe(owner: owner, fileID: fileID, line: line) { _, message in
            try handler(message.name, message.object)
        }
    }
}
