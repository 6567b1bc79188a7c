// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings

@testable import OfflineServer

@Suite(.timeLimit(.minutes(15)))
struct ResourceFolderTests {
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "offline-resources-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func makePage(in folder: URL) throws {
        let page = folder.appending(path: "Page")
        try FileManager.default.createDirectory(at: page, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: page.appending(path: "index.html"))
    }

    @Test func findsTheFilesBesideABuiltProgram() throws {
        try withFolder { folder in
            let resources = folder.appending(path: "tidings_OfflineServer.resources")
            try makePage(in: resources)
            let found = try ResourceFolder.find(beside: folder.appending(path: "offline").path)
            #expect(found.path == resources.path)
        }
    }

    @Test func findsTheFilesOfAnInstalledProgram() throws {
        try withFolder { folder in
            let resources = folder.appending(path: "share/offline")
            try makePage(in: resources)
            let found = try ResourceFolder.find(beside: folder.appending(path: "bin/offline").path)
            #expect(found.path == resources.path)
        }
    }

    @Test func theErrorNamesTheSearchedFolders() throws {
        try withFolder { folder in
            let error = #expect(throws: ServerError.self) {
                try ResourceFolder.find(beside: folder.appending(path: "bin/offline").path)
            }
            #expect(error?.code == .resourcesMissing)
            #expect(error?.message.contains("share/offline") == true)
        }
    }

    @Test func theRunningProgramHasPageAndSampleAndTheSampleIsSmall() throws {
        let folder = try ResourceFolder.find()
        let page = try ResourceFiles(folder: folder.path + "/Page")
        let sample = try ResourceFiles(folder: folder.path + "/Sample")
        #expect(page["index.html"]?.type == "text/html; charset=utf-8")
        #expect(page["../Package.swift"] == nil)
        #expect(sample["stream.m3u8"]?.type == "application/vnd.apple.mpegurl")
        let bytes = sample.names.compactMap { sample[$0]?.bytes.count }.reduce(0, +)
        #expect(bytes < 1_000_000)
    }
}
