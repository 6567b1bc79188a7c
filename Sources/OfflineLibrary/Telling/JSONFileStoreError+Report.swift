// SPDX-License-Identifier: Apache-2.0
public import TidingsDiagnostics
public import TidingsFoundation

extension JSONFileStoreError: ReportableError {
    /// The code's name.
    public var reportCode: String? { code.description }
    /// What happened, in words for a person.
    public var reportMessage: String { message }
    /// The failure beneath.
    public var reportCause: (any Error)? { cause }
}
