// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Observes a name as long as `owner` lives.
    ///
    /// Use this form in code that cannot refer to a type yet. The handler receives every post under
    /// the name, and every ``NamedMessage`` with the name. One object may observe several names,
    /// several objects may observe one name, and one object may observe a name several times. The
    /// rules are the same as for observing a type. For options, see
    /// ``messages(named:fileID:line:)``.
    ///
    /// ```swift
    /// center.observe(named: "InternetConnect", owner: self) { name, object in print(name) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - owner: The object whose lifetime bounds the observation.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with the name and the object.
    /// - Returns: A token whose `cancel()` ends the observation early.
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
