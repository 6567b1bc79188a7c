// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineAPI
@testable import OfflineServer

/// Compares the description of the API and the page's scripts with the operations.
///
/// With `OFFLINE_UPDATE_REFERENCE=1` in the environment, the test writes the reference.
@Suite(.timeLimit(.minutes(15)))
struct APIReferenceTests {
    private static let document = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Documentation/API.md").standardizedFileURL
    private static let heading = "## All requests\n"

    private static let sources = document.deletingLastPathComponent()
        .appending(path: "../Sources/OfflineAPI").standardizedFileURL

    /// Returns the first sentence of each comment by the name of its endpoint.
    private func summaries() throws -> [String: String] {
        let folder = Self.sources.appending(path: "Operations")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let files =
            names.map { folder.appending(path: $0) }
            + [Self.sources.appending(path: "API.swift")]
        return try files.reduce(into: [:]) { summaries, file in
            let text = try String(contentsOf: file, encoding: .utf8)
            for found in text.matches(
                of:
                    #/((?:    /// .+\n)+)(?:    ///.*\n)*    package let \w+ = (\w+)\(\s*(?:\.(\w+),\s*)?"([^"]+)"/#
            ) {
                let isStream = found.2 == "Endpoint"
                let word = found.3.map { $0.uppercased() } ?? found.2.uppercased()
                let path = PathTemplate("\(isStream ? "" : "/api")\(found.4)")
                summaries["\(word == "CREATE" ? "POST" : word) \(path)"] = found.1
                    .replacing("    /// ", with: "").split(separator: "\n").joined(separator: " ")
            }
        }
    }

    /// Returns the lines of the table.
    private func reference() throws -> String {
        let summaries = try self.summaries()
        return try API.endpoints.map { endpoint in
            let errors = endpoint.errors.map(String.init).joined(separator: ", ")
            let summary = try #require(summaries[endpoint.name], "\(endpoint.name)")
            return "| `\(endpoint.name)` | \(summary) | \(errors) |\n"
        }.joined()
    }

    @Test func theReferenceFollowsFromTheOperations() throws {
        let reference = try self.reference()
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let start = try #require(text.firstRange(of: Self.heading)?.upperBound)
        let table = try #require(text[start...].firstRange(of: "\n|---|---|---|\n")?.upperBound)
        let end = text[table...].firstRange(of: "\n\n")?.lowerBound ?? text.endIndex
        if ProcessInfo.processInfo.environment["OFFLINE_UPDATE_REFERENCE"] == "1" {
            let new = text[..<table] + reference.dropLast() + text[end...]
            try new.write(to: Self.document, atomically: true, encoding: .utf8)
        } else {
            #expect(text[table..<end] + "\n" == reference)
        }
    }

    @Test func eachRequestHasASection() throws {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let described = text.split(separator: "\n").filter { $0.hasPrefix("### ") }
            .flatMap { $0.matches(of: /`([A-Z]+ \/[^`]*)`/).map { String($0.1) } }
        let names = described.filter { !$0.hasPrefix("HEAD ") }
        #expect(Set(names) == Set(API.endpoints.map(\.name)))
        #expect(names.count == API.endpoints.count)
    }

    @Test func eachRequestOfThePageIsAnOperation() throws {
        let files = try ResourceFiles(folder: ResourceFolder.find().path + "/Page")
        var count = 0
        for name in files.names where name.hasSuffix(".js") {
            let text = String(decoding: try #require(files[name]).bytes, as: UTF8.self)
                .replacing("${item(id)}", with: "/api/items/1").replacing(
                    "(item(id)",
                    with: "(\"/api/items/1\""
                )
            for found in text.matches(of: #/(?:call|open)\("([A-Z]+)",[^"`\n]*?["`](/[^"`\n]*)/#) {
                let methods = endpoints(of: found.2).flatMap(\.methods)
                #expect(methods.contains(String(found.1)), "\(name): \(found.0)")
                count += 1
            }
            for found in text.matches(of: #/["`](/(?:api|media|pictures|subtitles)/[^"`\n*]+)/#) {
                #expect(!endpoints(of: found.1).isEmpty, "\(name): \(found.1)")
            }
        }
        #expect(count >= 60)
    }

    /// Returns the endpoints of an address in a script, in which each value is an expression.
    private func endpoints(of address: Substring) -> [Endpoint] {
        let path = address.prefix { $0 != "?" }.replacing(#//\$\{[^}]*\}?/#, with: "/1")
            .replacing(#/\$\{.*/#, with: "")
        let parts = path.split(separator: "/")
        return API.endpoints.filter { $0.path.values(in: parts) != nil }
    }
}
