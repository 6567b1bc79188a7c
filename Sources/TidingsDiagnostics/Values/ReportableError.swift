// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An error that knows how it should look in a report.
///
/// Errors that do not conform are reported by their type and description; conform to have the
/// code apart and the causes listed.
///
/// ```swift
/// extension FetchError: ReportableError {
///     var reportCode: String? { "\(code)" }
///     var reportMessage: String { message }
///     var reportCause: (any Error)? { cause }
/// }
/// ```
public protocol ReportableError: Error {
    /// The family of errors; the type's full name, unless stated.
    var reportDomain: String { get }
    /// The kind of error within its domain.
    var reportCode: String? { get }
    /// What happened.
    var reportMessage: String { get }
    /// The failure beneath this one; none, unless stated.
    var reportCause: (any Error)? { get }
    /// Where the error was made, as `#fileID:line`; unknown, unless stated.
    var reportLocation: String? { get }
}

extension ReportableError {
    /// The type's full name.
    public var reportDomain: String { String(reflecting: Self.self) }
    /// None.
    public var reportCause: (any Error)? { nil }
    /// Unknown.
    public var reportLocation: String? { nil }
}

extension ReportedError {
    /// The deepest chain that is reported.
    private static let chainLimit = 8

    /// Looks at an error and at what caused it, outermost first.
    ///
    /// Calls the error's own code: never under a lock.
    static func chain(_ error: any Error) -> [ReportedError] {
        var chain: [ReportedError] = []
        var next: (any Error)? = error
        while let error = next, chain.count < chainLimit {
            chain.append(ReportedError(error))
            next = cause(of: error)
        }
        return chain
    }

    private init(_ error: any Error) {
        let domain = String(reflecting: type(of: error))
        switch error {
        case let error as any ReportableError:
            self.init(
                domain: error.reportDomain,
                code: error.reportCode,
                message: error.reportMessage,
                location: error.reportLocation
            )
        case let error as any CustomNSError:
            self.init(
                domain: type(of: error).errorDomain,
                code: "\(error.errorCode)",
                message: (error as? any LocalizedError)?.errorDescription
                    ?? error.localizedDescription,
                location: nil
            )
        case let error as any LocalizedError:
            self.init(
                domain: domain,
                code: nil,
                message: error.errorDescription ?? String(describing: error),
                location: nil
            )
        default:
            if let error = Self.foundationError(error) {
                self.init(
                    domain: error.domain,
                    code: "\(error.code)",
                    message: error.localizedDescription,
                    location: nil
                )
            } else {
                self.init(
                    domain: domain,
                    code: nil,
                    message: String(describing: error),
                    location: nil
                )
            }
        }
    }

    private static func cause(of error: any Error) -> (any Error)? {
        switch error {
        case let error as any ReportableError: error.reportCause
        case let error as any CustomNSError:
            error.errorUserInfo[NSUnderlyingErrorKey] as? any Error
        default: foundationError(error)?.userInfo[NSUnderlyingErrorKey] as? any Error
        }
    }

    /// The error if it is an `NSError` by itself; every error could become one.
    private static func foundationError(_ error: any Error) -> NSError? {
        type(of: error) is NSError.Type ? error as NSError : nil
    }
}
