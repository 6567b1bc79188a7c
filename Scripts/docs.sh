#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds one site with the documentation of all public modules into .build/docs, with warnings as
# errors. The site consists only of files, so any web server can serve the site.
source "$(dirname "$0")/common.sh"
require_swift

site=.build/docs
work=.build/documentation
front=Documentation/FrontPage.docc
rm -rf "$site" "$work"
mkdir -p "$work/links" "$work/archives"

convert() { # catalog, name, folder; more arguments
    local catalog=$1 name=$2 folder=$3
    shift 3
    docc convert "$catalog" "$@" \
        --fallback-display-name "$name" \
        --fallback-bundle-identifier "$name" \
        --fallback-default-module-kind Module \
        --enable-experimental-external-link-support \
        --output-path "$folder/$name.doccarchive" 2>&1 | sed '/^$/d' >&2
}

Scripts/symbol-graphs.sh
python3 Scripts/shorten-headings.py .build/symbol-graphs "$work/graphs"
mapfile -t modules < <(public_modules)
# Articles of two modules may link to each other, so each module is converted twice. The first
# result only lists the existing pages, and leaves links to other modules unresolved.
for module in "${modules[@]}"; do
    catalog="Sources/$module/$module.docc"
    [ -d "$catalog" ] || fail "$module has no documentation catalog ($catalog)"
    convert "$catalog" "$module" "$work/links" --additional-symbol-graph-dir "$work/graphs/$module" \
        --diagnostic-filter error
done
archives=()
for module in "${modules[@]}"; do
    others=()
    for other in "${modules[@]}"; do
        [ "$other" = "$module" ] || others+=(--dependency "$work/links/$other.doccarchive")
    done
    convert "Sources/$module/$module.docc" "$module" "$work/archives" "${others[@]}" \
        --additional-symbol-graph-dir "$work/graphs/$module" --warnings-as-errors
    archives+=("$work/archives/$module.doccarchive")
done
convert "$front" FrontPage "$work/archives" --warnings-as-errors "${archives[@]/#/--dependency=}"

docc merge "${archives[@]}" \
    --synthesized-landing-page-name Tidings \
    --synthesized-landing-page-topics-style hidden \
    --output-path "$site"
python3 Scripts/front-page.py "$site" "$work/archives/FrontPage.doccarchive"
# A merged archive has no page at the root.
cat >"$site/index.html" <<'END'
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tidings</title>
<meta http-equiv="refresh" content="0; url=documentation/">
<p><a href="documentation/">Documentation of Tidings</a></p>
</html>
END
say "documentation is in $site; see it with: python3 -m http.server --bind 127.0.0.1 -d $site 8000"
