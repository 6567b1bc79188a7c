// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An error that determines its representation in a report.
///
/// Other errors are reported by their type and description. Conform to this protocol to report the
/// code separately and to list the causes.
///
/// ```swift
/// extension FetchError: ReportableError {
///     var reported: ReportedError {
///         ReportedError(domain: "FetchError", code: "\(code)", message: message)
///     }
///     var reportCause: (any Error)? { cause }
/// }
/// ```
public protocol ReportableError: Error {
    /// The error as it appears in a report.
    var reported: ReportedError { get }
    /// The underlying error, which is nil by default.
    var reportCause: (any Error)? { get }
}

extension ReportableError {
    /// The default, which is nil.
    public var reportCause: (any Error)? { nil }
}

extension ReportedError {
    /// The maximum length of a reported chain.
    private static let chainLimit = 8

    /// Returns an error and its causes, outermost first.
    ///
    /// The method calls code of the error types and must not be called under a lock.
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
        case let error as any ReportableError: self = error.reported
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

    /// Returns the error if the type is an `NSError`, because any error could be bridged.
    private static func foundationError(_ error: any Error) -> NSError? {
        type(of: error) is NSError.Type ? error as NSError : nil
    }
}
