// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TidingsDiagnostics
internal import TidingsHTTP

/// What a server's answer means for what was sent.
enum SentryAnswer {
    /// The longest reason that is passed on, in code points.
    private static let reasonLimit = 300

    /// What became of what was sent, and what the server asks for.
    ///
    /// - Parameters:
    ///   - head: The answer.
    ///   - body: The beginning of its body.
    ///   - sent: What was sent.
    ///   - secret: What no reason may hold, though the server wrote it there.
    /// - Returns: The receipt.
    static func receipt(
        _ head: HTTPResponseHead,
        body: [UInt8],
        sent: Set<ReportCategory>,
        secret: String
    ) -> ReportReceipt {
        let pauses = RateLimits.pauses(head, sent: sent)
        func words(_ what: String) -> String {
            let start = "\(head.address.host) \(what) (\(head.status))"
            let text = reason(head, body).replacing(secret, with: "[key]")
            let line = SentryText.line(text, limit: reasonLimit)
            return line.isEmpty ? "\(start)." : "\(start): \(line)"
        }
        switch head.status {
        case 200..<300 where isPage(body):
            return ReportReceipt(.failed(notTheServer), pauses: pauses)
        case 200..<300: return ReportReceipt(.accepted, pauses: pauses)
        case 429: return ReportReceipt(.limited, pauses: pauses)
        // The server did not look at it, or not yet.
        case 408, 421, 425:
            return ReportReceipt(.failed(words("did not take it")), pauses: pauses)
        // A wrong address must not cost reports: they wait until it is right.
        case 401, 403, 404:
            return ReportReceipt(
                .failed(words("does not know this key or project: check the address")),
                pauses: pauses
            )
        case 413, 422:
            return ReportReceipt(.refused(words("refuses it")), pauses: pauses)
        case 400 where isOwn(head, body):
            return ReportReceipt(.refused(words("refuses it")), pauses: pauses)
        // A proxy, a server of files or a port for TLS: somebody else answers at this address.
        case 400..<500:
            return ReportReceipt(
                .failed(words("does not answer as a server for reports: check the address")),
                pauses: pauses
            )
        default: return ReportReceipt(.failed(words("cannot take it")), pauses: pauses)
        }
    }

    /// Whether somebody on the way answered, as the sign-in page of a network does.
    private static func isPage(_ body: [UInt8]) -> Bool {
        body.first { $0 > 0x20 } == UInt8(ascii: "<")
    }

    /// Whether the answer has the form in which servers for reports say what is wrong.
    private static func isOwn(_ head: HTTPResponseHead, _ body: [UInt8]) -> Bool {
        head.headers.first("X-Sentry-Error") != nil
            || (try? JSONDecoder().decode(OwnAnswer.self, from: Data(body))) != nil
    }

    private static let notTheServer =
        "A web page came instead of the server's answer; sign in to the network, or check the DSN."

    private static func reason(_ head: HTTPResponseHead, _ body: [UInt8]) -> String {
        head.headers.first("X-Sentry-Error") ?? explanation(body) ?? ""
    }

    /// What the body says, of the forms that servers use.
    private static func explanation(_ body: [UInt8]) -> String? {
        guard !isPage(body) else { return nil }
        guard let answer = try? JSONDecoder().decode(Explanation.self, from: Data(body)) else {
            return String(decoding: body.prefix(4 * reasonLimit), as: UTF8.self)
        }
        let parts = [answer.detail ?? answer.error ?? answer.message].compactMap(\.self)
        return (parts + (answer.causes ?? [])).joined(separator: "; ")
    }

    /// What a server for reports says of what it will never take, whatever the values are; a report
    /// that Bugsink refuses would otherwise keep back all that come after it.
    private struct OwnAnswer: Decodable {
        private enum CodingKeys: String, CodingKey, CaseIterable {
            case detail, causes, error, message
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            guard CodingKeys.allCases.contains(where: container.contains) else {
                throw DecodingError.valueNotFound(
                    String.self,
                    .init(codingPath: [], debugDescription: "Nothing is said.")
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
