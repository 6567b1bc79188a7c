// SPDX-License-Identifier: Apache-2.0
public import TidingsErrors

/// The errors of this package's modules are reported with their code, cause and line.
extension CodedError: ReportableError {
    /// The name of the error type, such as `TidingsFoundation.JSONFileStoreError`, with the code,
    /// the message and the line that created the error.
    public var reported: ReportedError {
        let name = String(reflecting: Kind.self)
        return ReportedError(
            domain: name.hasSuffix("Code") ? String(name.dropLast(4)) : name,
            code: code.description,
            message: message,
            location: location
        )
    }

    /// The underlying error, if there is one.
    public var reportCause: (any Error)? { cause }
}
