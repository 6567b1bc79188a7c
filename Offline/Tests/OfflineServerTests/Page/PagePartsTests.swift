// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineServer

/// Checks that `index.html` is only a frame, and that each part has its own markup and style.
@Suite(.timeLimit(.minutes(15)))
struct PagePartsTests {
    private let files: ResourceFiles

    init() throws {
        files = try ResourceFiles(folder: ResourceFolder.find().path + "/Page")
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try #require(files[name]).bytes, as: UTF8.self)
    }

    /// Without this list, the browser finds a script only after loading the script that imports it.
    @Test func theFrameLoadsTheScriptsAtOnce() throws {
        let listed = try text("index.html").matches(
            of: /<link rel="modulepreload" href="\/page\/(\S+)">/
        )
        .map { String($0.1) }
        let scripts = files.names.filter { $0.hasSuffix(".js") }
        let later = try scripts.flatMap { name in
            try text(name).matches(
                of: #/(?:await import\(|new Worker\(new URL\()"./([^"]+)"/#
            )
            .map { (name.split(separator: "/").dropLast() + [$0.1]).joined(separator: "/") }
        }
        // The browser loads the first scripts by their elements. No page loads the worker as a
        // script.
        let others = ["app.js", "connect.js", "loading.js", "worker.js"] + later
        #expect(listed == scripts.filter { !others.contains($0) })
        let lateScripts = [
            "developer/report.js", "library/kept.js", "local/keeping.js", "local/writer.js",
        ]
        #expect(Set(later).sorted() == lateScripts)
        // These scripts are needed even while the server is stopped.
        let kept = try #require(try text("worker.js").firstMatch(of: /const others = (\[.*\]);/))
        let names = try JSONDecoder().decode([String].self, from: Data(kept.1.utf8))
        #expect(names == lateScripts)
    }

    /// A script at an address without the version would be a second copy, fetched at each visit.
    @Test func theScriptsImportEachOtherInTheirVersion() throws {
        for name in files.names where name.hasSuffix(".js") && name != "worker.js" {
            let absolute = try text(name).matches(of: #/(?:from |import\()"\/(\S+)"/#).map(\.1)
            #expect(absolute.isEmpty, "\(name)")
        }
    }

    @Test func thePlacesOfThePartsAreEmpty() throws {
        let frame = try text("index.html")
        let sections = frame.matches(of: /<section id="(\w+)-section"[^>]*><\/section>/)
        let links = frame.matches(of: /<a href="#(\w+)" data-section="\w+">/)
        #expect(!sections.isEmpty)
        let more = try text("settings/settings.js").matches(of: /place\("(\w+)"/).map(\.1)
        // The lists of items hold the links to the page of an item.
        #expect(Set(sections.map(\.1)) == Set(links.map(\.1) + more + ["item"]))
        #expect(!frame.contains("<h1") && !frame.contains("<h2"))
    }

    /// Each rule about an element of one part belongs to that part.
    @Test func theSharedStyleNamesNoElement() throws {
        #expect(try text("style.css").firstMatch(of: /#[a-z-]+[^;{}]*\{/) == nil)
    }
}
