# The book's order and its pages, for the tools beside this file. docs/book.md is the only place where the order stands:
# its headings are the parts, the link at the start of each numbered item is a chapter.
#
# Perl, because every Debian and Ubuntu has it (perl-base, without which dpkg does not run; no module beyond it is used): the book
# needs nothing but Doxygen and Graphviz.
package Book;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT_OK = qw(slurp html_files html_escape chapters interactive_pages page_id resolve slug fragment_ids);

# The whole text of a file.
sub slurp {
  my ($path) = @_;
  open(my $file, '<', $path) or die "$path: $!\n";
  local $/;
  return scalar <$file>;
}

# All HTML files in a folder and below.
sub html_files {
  my ($folder) = @_;
  open(my $found, '-|', 'find', $folder, '-name', '*.html') or die "find: $!\n";
  chomp(my @files = sort <$found>);
  return @files;
}

sub html_escape {
  my ($text) = @_;
  my %entity = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;');
  $text =~ s/([&<>"])/$entity{$1}/g;
  return $text;
}

# The path that `target`, written in `file`, means: relative to the root, without `.` and `..`. A folder means its README.
sub resolve {
  my ($file, $target) = @_;
  my @parts = $file =~ m{/} ? split(m{/}, $file =~ s{/[^/]*$}{}r) : ();
  for my $part (split m{/}, $target) {
    if ($part eq '..') { return undef unless @parts; pop @parts }
    elsif ($part ne '.' && $part ne '') { push @parts, $part }
  }
  my $path = join '/', @parts;
  return -d $path && -f "$path/README.md" ? "$path/README.md" : $path;
}

# The name of a page's HTML file, without ".html": the id in its first heading, or one made of its path. Doxygen's own names
# for Markdown files differ between its versions.
sub page_id {
  my ($file) = @_;
  return 'index' if $file eq 'README.md';
  return $1 if slurp($file) =~ /\A# .*\{#([\w-]+)\}\s*$/m;
  my $id = $file =~ s{^docs/}{}r =~ s{(/README)?\.md$}{}r =~ s{^stages/(\d)_}{stage$1_}r;
  return $id =~ s/\W+/_/gr;
}

# What a code host makes of a heading's text for links to it.
sub slug {
  my ($heading) = @_;
  $heading = lc($heading =~ s/\s*\{#[\w-]+\}\s*$//r =~ s/\[([^\]]*)\]\([^)]*\)/$1/gr);
  return $heading =~ s/[^\w\- ]//gr =~ s/ /-/gr;
}

# All fragments that links to this Markdown file may have.
sub fragment_ids {
  my ($file) = @_;
  my ($fenced, %ids) = (0);
  for my $line (split /\n/, slurp($file)) {
    $fenced = !$fenced if $line =~ /^\s*(>\s*)?```/;
    next if $fenced || $line !~ /^#+ (.*)/;
    my $slug = slug($1);
    my ($name, $again) = ($slug, 0);
    $name = $slug . '-' . ++$again while $ids{$name};
    $ids{$name} = 1;
    $ids{$1} = 1 if $line =~ /\{#([\w-]+)\}/;
  }
  return \%ids;
}

# The chapters in reading order: file, id, title, part. The handouts of the labs follow the page that introduces them.
sub chapters {
  my ($part, @chapters) = ('');
  for my $line (split /\n/, slurp('docs/book.md')) {
    $part = $1 if $line =~ /^## (.*)/;
    next if $line !~ /^\d+\. \[([^\]]+)\]\(([^)#]+)\)/;
    my ($title, $file) = ($1, resolve('docs/book.md', $2));
    die "docs/book.md: there is no $file\n" unless -f $file;
    push @chapters, {file => $file, id => page_id($file), title => $title, part => $part};
    next if $file ne 'labs/README.md';
    for my $handout (sort glob 'labs/lab[0-9]*/README.md') {
      my ($name) = slurp($handout) =~ /\A# (.*?)\s*(\{#.*)?$/m;
      push @chapters, {file => $handout, id => page_id($handout), title => $name, part => $part};
    }
  }
  return @chapters;
}

# The interactive pages: file and title.
sub interactive_pages {
  return map { { file => $_, title => slurp($_) =~ m{<title>([^<]+)</title>} ? $1 : $_ } } sort glob 'docs/interactive/*.html';
}

1;
