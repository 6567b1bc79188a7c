// SPDX-License-Identifier: Apache-2.0
public import TidingsErrors

/// The errors of this package's modules are reported with their code, cause and line.
extension CodedError: ReportableError {
    /// The name of the error type, such as `TidingsFoundation.JSONFileStoreError`.
    public var reportDomain: String {
        let name = String(reflecting: Kind.self)
        return name.hasSuffix("Code") ? String(name.dropLast(4)) : name
    }

    /// The name of the code.
    public var reportCode: String? { code.description }
    /// The fault and its remedy, for a person.
    public var reportMessage: String { message }
    /// The underlying error, if there is one.
    public var reportCause: (any Error)? { cause }
    /// The line that created the error.
    public var reportLocation: String? { location }
}
