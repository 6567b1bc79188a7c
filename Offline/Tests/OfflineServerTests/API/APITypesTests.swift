// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
import OfflineMedia
import OfflineStore
import Testing
import TidingsDiagnostics
import TidingsHTTP

@testable import OfflineAPI
@testable import OfflineServer

/// Writes the types against which the page's scripts are checked, and compares the written ones.
///
/// With `OFFLINE_UPDATE_REFERENCE=1` in the environment, the test writes the types.
@Suite(.timeLimit(.minutes(15)))
struct APITypesTests {
    private static let document = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Documentation/API.d.ts").standardizedFileURL

    @Test func theTypesFollowFromTheOperations() throws {
        let types = try self.types()
        if ProcessInfo.processInfo.environment["OFFLINE_UPDATE_REFERENCE"] == "1" {
            try types.write(to: Self.document, atomically: true, encoding: .utf8)
        } else {
            #expect(try String(contentsOf: Self.document, encoding: .utf8) == types)
        }
    }

    private func types() throws -> String {
        let shapes = Shapes([
            (DownloadSettings.self, "Record<string, string>"),
            (SettingsChange.self, "Record<string, string | number>"),
            (ReportValue.self, "string | number | boolean"),
        ])
        let calls = try API.all.sorted { rank($0) < rank($1) }
            .map { try call(of: $0, shapes) }
        let events = try EventKind.allCases.map { kind in
            "  \"\(kind.rawValue)\": \(try shapes.shape(of: payload(of: kind)));\n"
        }
        let objects = shapes.objects.sorted { $0.key < $1.key }.map { name, shape in
            let members = shape.dropFirst(2).dropLast(2).split(separator: "; ")
            return "export interface \(name) {\n" + members.map { "  \($0);\n" }.joined() + "}\n"
        }
        return """
            // SPDX-License-Identifier: Apache-2.0
            // The types of the HTTP interface, which follow from the operations in OfflineAPI.

            /** The function that sends a request and returns the JSON of the response. */
            export interface Call {
            \(calls.joined())}

            /** The payloads of the events by name. */
            export interface Events {
            \(events.joined())}

            \(objects.joined(separator: "\n"))
            """
    }

    /// Returns the form in which a script sends a request, without or with a query.
    private func call(of operation: any AnyOperation, _ shapes: Shapes) throws -> String {
        let (input, output) = operation.types
        let content =
            try input.body.map { "body: \(try shapes.shape(of: $0))" }
            ?? (input is LibraryText.Type ? "body: Blob" : "body?: {}")
        let result = output is NoContent.Type ? "{}" : try shapes.shape(of: output)
        let method = operation.endpoint.method.rawValue
        let path = "\(operation.endpoint.path)"
            .replacing(#/\/[A-Z*]+(?=\/|$)/#, with: "/${string}")
        let query = path.hasSuffix("}") ? "" : " | `\(path)?${string}`"
        return "  (method: \"\(method)\", path: `\(path)`\(query), \(content), "
            + "more?: RequestInit): Promise<\(result)>;\n"
    }

    /// Orders overloads so that a value in a template, which matches any string, is tried last.
    private func rank(_ operation: any AnyOperation) -> (Int, Int, String) {
        let words = "\(operation.endpoint.path)".split(separator: "/")
        let values = words.count { $0.allSatisfy(\.isUppercase) }
        return (values, -words.count, operation.endpoint.name)
    }

    private func payload(of kind: EventKind) -> Any.Type {
        switch kind {
        case .hello: HelloJSON.self
        case .items: ItemsJSON.self
        case .counts: [String: Int].self
        case .item: ItemRepresentation.self
        case .progress: ProgressJSON.self
        case .playback: PlaybackJSON.self
        case .removed: RemovedJSON.self
        case .queue: QueueState.self
        case .connectivity: ConnectivityJSON.self
        case .catalog: CatalogStateJSON.self
        case .notification: UnreadJSON.self
        case .preferences: PreferencesJSON.self
        case .report, .feeds, .collections, .devices, .machines: [String: Int].self
        case .activity: ActivityJSON.self
        case .post: ActivityPostJSON.self
        }
    }
}
