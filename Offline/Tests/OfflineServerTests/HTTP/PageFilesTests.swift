// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineServer

@Suite(.timeLimit(.minutes(15)))
struct PageFilesTests {
    /// Returns the files of a page with this script.
    private func files(script: String) throws -> PageFiles {
        let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(#"<script src="/page/app.js">"#.utf8).write(
            to: folder.appending(path: "index.html")
        )
        try Data(script.utf8).write(to: folder.appending(path: "app.js"))
        let subfolder = folder.appending(path: "player")
        try FileManager.default.createDirectory(at: subfolder, withIntermediateDirectories: true)
        try Data(script.utf8).write(to: subfolder.appending(path: "controls.js"))
        return try PageFiles(folder: folder.path)
    }

    @Test func theFrameNamesFilesThatNeverChange() throws {
        let page = try files(script: "one")
        let frame = String(decoding: page.frame.bytes, as: UTF8.self)
        #expect(frame == #"<script src="/page/\#(page.version)/app.js">"#)
        let response = try #require(page.response(page.version[...], "app.js"))
        #expect(response.status == 200)
        let policy = response.headers.first { $0.name == "Cache-Control" }?.value
        #expect(policy == "private, max-age=31536000, immutable")
    }

    @Test func aFileOfASubfolderHasThePathAsItsName() throws {
        let (page, other) = (try files(script: "one"), try files(script: "other"))
        let response = try #require(page.response(page.version[...], "player/controls.js"))
        #expect(response.status == 200)
        #expect(page.response(page.version[...], "controls.js") == nil)
        #expect(page.response(page.version[...], "player") == nil)
        #expect(page.response(page.version[...], "../player/controls.js") == nil)
        #expect(page.response(other.version[...], "player/controls.js") == nil)
    }

    @Test func anotherBuildHasOtherAddresses() throws {
        let (one, other) = (try files(script: "one"), try files(script: "other"))
        #expect(one.version != other.version && one.frame.entityTag != other.frame.entityTag)
        #expect(one.version == (try files(script: "one")).version)
        #expect(one.response(other.version[...], "app.js") == nil)
        #expect(one.response("", "app.js") == nil)
    }

    @Test func theFrameIsNoFile() throws {
        let page = try files(script: "one")
        #expect(page.response(page.version[...], "index.html") == nil)
        #expect(page.response(page.version[...], "../app.js") == nil)
    }

    @Test func aFolderWithoutAFrameIsAnError() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let error = #expect(throws: ServerError.self) { try PageFiles(folder: folder.path) }
        #expect(error?.code == .resourcesMissing)
    }
}
