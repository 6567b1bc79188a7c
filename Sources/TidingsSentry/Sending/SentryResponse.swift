// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TidingsDiagnostics
internal import TidingsHTTP

/// Converts a server's response into a receipt.
enum SentryResponse {
    /// The maximum length of the server's reason in an error message, in code points.
    private static let reasonLimit = 300

    /// Returns the outcome of a delivery and the pauses that the server requests.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - body: The start of the response body.
    ///   - sent: The categories that were sent.
    ///   - secret: The key, which is removed from the server's reason.
    /// - Returns: The receipt.
    static func receipt(
        _ head: HTTPResponseHead,
        body: [UInt8],
        sent: Set<ReportCategory>,
        secret: String
    ) -> ReportReceipt {
        let pauses = RateLimits.pauses(head, sent: sent)
        func message(_ fault: String) -> String {
            let start = "\(head.address.host) \(fault) (\(head.status))"
            let text = reason(head, body).replacing(secret, with: "[key]")
            let line = SentryText.line(text, limit: reasonLimit)
            return line.isEmpty ? "\(start)." : "\(start): \(line)"
        }
        switch head.status {
        case 200..<300 where isWebPage(body):
            return ReportReceipt(.failed(webPageReason), pauses: pauses)
        case 200..<300: return ReportReceipt(.accepted, pauses: pauses)
        case 429: return ReportReceipt(.limited, pauses: pauses)
        // The server has not processed the request.
        case 408, 421, 425:
            return ReportReceipt(.failed(message("did not process the data")), pauses: pauses)
        // A wrong address must not lose reports, which wait until the address is corrected.
        case 401, 403, 404:
            return ReportReceipt(
                .failed(message("rejected the key or the project; check the address")),
                pauses: pauses
            )
        case 413, 422:
            return ReportReceipt(.refused(message("refused the data")), pauses: pauses)
        case 400 where isSentryError(head, body):
            return ReportReceipt(.refused(message("refused the data")), pauses: pauses)
        // A proxy, a file server or a TLS port answers at this address.
        case 400..<500:
            return ReportReceipt(
                .failed(message("does not answer like a Sentry server; check the address")),
                pauses: pauses
            )
        default: return ReportReceipt(.failed(message("cannot accept the data")), pauses: pauses)
        }
    }

    /// Returns whether the body is a web page, such as the sign-in page of a network.
    private static func isWebPage(_ body: [UInt8]) -> Bool {
        body.first { $0 > 0x20 } == UInt8(ascii: "<")
    }

    /// Returns whether the response has the form of a Sentry server's error.
    private static func isSentryError(_ head: HTTPResponseHead, _ body: [UInt8]) -> Bool {
        head.headers.first("X-Sentry-Error") != nil
            || (try? JSONDecoder().decode(ErrorBody.self, from: Data(body))) != nil
    }

    private static let webPageReason =
        "The server returned a web page. Sign in to the network, or check the DSN."

    private static func reason(_ head: HTTPResponseHead, _ body: [UInt8]) -> String {
        head.headers.first("X-Sentry-Error") ?? explanation(body) ?? ""
    }

    /// Returns the reason in the body, in any form that servers use, or nil for a web page.
    private static func explanation(_ body: [UInt8]) -> String? {
        guard !isWebPage(body) else { return nil }
        guard let answer = try? JSONDecoder().decode(Explanation.self, from: Data(body)) else {
            return String(decoding: body.prefix(4 * reasonLimit), as: UTF8.self)
        }
        let parts = [answer.detail ?? answer.error ?? answer.message].compactMap(\.self)
        return (parts + (answer.causes ?? [])).joined(separator: "; ")
    }

    /// The error body of a Sentry server, recognized by the keys with any values.
    ///
    /// Without this type, a report that Bugsink refuses would stay in the queue and block all later
    /// reports.
    private struct ErrorBody: Decodable {
        private enum CodingKeys: String, CodingKey, CaseIterable {
            case detail, causes, error, message
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            guard CodingKeys.allCases.contains(where: container.contains) else {
                throw DecodingError.valueNotFound(
                    String.self,
                    .init(codingPath: [], debugDescription: "The body has no known key.")
                )
            }
        }
    }

    private struct Explanation: Decodable {
        let detail: String?
        let error: String?
        let message: String?
        let causes: [String]?
    }
}
